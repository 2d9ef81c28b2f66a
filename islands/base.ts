/**
 * The modules that several first scripts and islands share, in one file. A script that imports one of them imports this file, too. Each module
 * here does nothing until it is called.
 */
import "./pos/basket/bar";
import "./pos/basket/money";
import "./pos/basket/store";
import "./pos/basket/summary";
import "./pos/choose/form";
import "./define-island";
import "./email";
import "./first-use";
import "./load-chunk";
import "./pos/menu/address";
