/** The script of the page of an item: its price follows what is chosen, and the basket is this browser's. */
import "../base";
import { basketOf } from "./basket/store";
import { wireForm } from "./choose/form";
import { takeFromAddress } from "./menu/address";

const form = document.querySelector<HTMLFormElement>(".choosing form");
const { shop } = form?.dataset ?? {};
if (form && shop) {
  const store = basketOf(shop);
  takeFromAddress(store);
  wireForm(form, store, () => location.assign(location.pathname.replace(/\/item\/.*$/, "") + location.search));
}
