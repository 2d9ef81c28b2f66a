/** What both tools with keys share, in one file. */
import "../ui/copy";
import "../ui/demo-field";
import "./keys";
import "./preimage";
import "./use-key";
