/** The first script of the order menu: it keeps the basket, shows it in the server's rows, and fetches the order view. */
import "../base";
import { defineIsland } from "../define-island";
import type { Basket as BasketProps } from "../props.gen";
import { basketOf } from "./basket/store";
import { takeFromAddress } from "./menu/address";
import { followCategories } from "./menu/categories";
import { wireMenu } from "./menu/rows";

const props = document.querySelector('fc-order-basket > script[type="application/json"]')?.textContent;
if (props) {
  const menu = JSON.parse(props) as BasketProps;
  const store = basketOf(menu.shop);
  takeFromAddress(store);
  store.seat(menu.table);
  if (menu.name) store.rename(menu.name);
  wireMenu(document.body, store, menu);
  followCategories(document.body);
}
defineIsland<BasketProps>("fc-order-basket", () => import("./order-basket"), { when: "idle" });
