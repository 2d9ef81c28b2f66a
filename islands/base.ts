/**
 * The modules that several first scripts and islands share, in one file. A script that imports one of them imports this file, too. Each module
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
