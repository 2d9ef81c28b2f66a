import { useEffect, useSyncExternalStore } from "react";
import { loadChunk } from "../../load-chunk";
import { ItemsTotal, type Basket as Props, Tip } from "../../props.gen";
import { basketOf } from "../basket/store";
import { itemOf, linesOf, summary } from "../basket/summary";
import { OrderView } from "./order-view";
import { share, tipOf } from "./tip";
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
  const { count, total: items } = summary(basket, menu);
  useBar(count, items, sign, sheet.show);
  const tips = props.tips ?? [];
  const tip = tipOf(basket.tip, items, tips);
  const sums = [
    [ItemsTotal, items] as const,
    [props.surcharge ?? "", share(items, props.rate ?? 0, 100_00)] as const,
    [Tip, tip] as const,
  ].filter(([, amount]) => amount > 0);
  const changed = ordering.price?.key === basket.key ? ordering.price.amount : undefined;
  const total = changed ?? sums.reduce((sum, [, amount]) => sum + amount, 0);

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
          items={items}
          sums={changed === undefined ? sums : []}
          total={total}
          tips={tips}
          tip={tip === 0 ? "" : basket.tip}
          tipless={Number.isNaN(tip)}
          left={left}
          ordering={ordering}
          onChange={store.add}
          onEdit={edit}
          onRename={store.rename}
          onTip={store.tip}
          onBack={close}
          onProceed={() =>
            order({
              shop,
              lines,
              amount: total,
              tip,
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
