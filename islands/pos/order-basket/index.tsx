import { useEffect, useSyncExternalStore } from "react";
import { loadChunk } from "../../load-chunk";
import type { Basket as Props } from "../../props.gen";
import { basketOf } from "../basket/store";
import { itemOf, linesOf, summary } from "../basket/summary";
import { OrderView } from "./order-view";
import { useBar } from "./use-bar";
import { useNames } from "./use-names";
import { useOrdering } from "./use-ordering";
import { useSheet } from "./use-sheet";

export { mount } from "../../react-root";

/** OrderBasket is the order view that the bar at the bottom of the menu opens. */
export default function OrderBasket({ props }: { props: Props }) {
  const { shop, live, sign, table } = props;
  const store = basketOf(shop);
  const basket = useSyncExternalStore(store.subscribe, store.read);
  const left = useNames(shop, store, basket, props);
  const sheet = useSheet(/[?&]at=/.test(location.search));
  useEffect(() => settle(table), [table]);
  const { ordering, order, calm } = useOrdering(store, sheet.hide);

  const menu = {
    items: props.items.map((item) => ({
      ...item,
      soldOut: item.soldOut || ordering.refused.has(item.id),
      closed: ordering.closed?.[item.id] ?? item.closed ?? "",
    })),
    choices: props.choices?.map((one) => (ordering.refused.has(-one.id) ? { ...one, soldOut: true } : one)),
  };
  const lines = linesOf(basket, menu);
  const { count, total: shown } = summary(basket, menu);
  const total = ordering.price?.key === basket.key ? ordering.price.amount : shown;
  useBar(count, total, sign, sheet.show);

  /** edit shows a line's item again, with what was chosen. */
  function edit(key: string, pieces: number, by: MouseEvent) {
    const address = new URL(`${shop}/item/${itemOf(key)}${location.search}`, `${location.origin}/pos/`);
    address.searchParams.set("edit", key);
    address.searchParams.set("qty", String(pieces));
    loadChunk(() => import("../choose")).then(
      ({ choose }) => choose(address.href, store, by),
      () => location.assign(address),
    );
  }
  function close() {
    calm();
    sheet.hide();
  }
  return (
    <>
      {!sheet.isOpen && (ordering.trouble || left) && (
        <p className="toast" role="alert">
          {ordering.trouble ? ordering.text : left}
        </p>
      )}
      <dialog
        ref={sheet.dialog}
        className="sheet"
        aria-label="Your order"
        {...{ closedby: "any" }}
        onCancel={(event) => {
          event.preventDefault();
          close();
        }}
        onClose={(event) => {
          if (sheet.isOpen && !event.currentTarget.open) close();
        }}
      >
        <OrderView
          live={live}
          sign={sign}
          seat={props}
          name={basket.name}
          lines={lines}
          total={total}
          left={left}
          ordering={ordering}
          onChange={store.add}
          onEdit={edit}
          onRename={store.rename}
          onBack={close}
          onProceed={() =>
            order({
              shop,
              lines,
              amount: total,
              name: table ? "" : basket.name.trim(),
              table,
            })
          }
        />
      </dialog>
    </>
  );
}

/** settle lets the address of a guest who has changed the table say only the table that holds now, for reloading and sharing. */
function settle(table: string): void {
  const address = new URL(location.href);
  const query = address.searchParams;
  if (!query.has("at")) return;
  query.delete("at");
  query.set("t", table);
  if (!table) query.delete("t");
  history.replaceState(history.state, "", address);
}
