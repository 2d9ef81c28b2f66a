/** The script of the documents: samples can be copied. */
import { enableCopying } from "./copy";

enableCopying(document);
