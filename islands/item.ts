/** The script of the page of an item: its price follows what is chosen, and the basket is this browser's. */
import { basketOf } from "./basket/store";
import { wireForm } from "./choose/form";
import { takeFromAddress } from "./menu/address";

const form = document.querySelector<HTMLFormElement>(".choosing form");
const { client, menu } = form?.dataset ?? {};
if (form && client && menu) {
  const store = basketOf(client);
  takeFromAddress(store);
  wireForm(form, store, () => location.assign(new URL(location.pathname.replace(/\/item\/\d+$/, "") + location.search, location.href)));
}
