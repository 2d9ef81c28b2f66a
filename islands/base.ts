/**
 * What several first scripts and islands share, in one file: a script that imports one of these imports this file, too. Each module
 * here does nothing until it is called.
 */
import "./basket/bar";
import "./basket/money";
import "./basket/store";
import "./basket/summary";
import "./choose/form";
import "./define-island";
import "./email";
import "./first-use";
import "./icons.gen";
import "./load-chunk";
import "./menu/address";
import "./payment/outcome";
