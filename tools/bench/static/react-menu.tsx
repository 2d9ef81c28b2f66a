import { useEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";

interface Item {
  id: number;
  name: string;
  description: string;
  price: string;
  image: string;
}

interface Props {
  name: string;
  items: Item[];
}

function Row({
  item,
  pieces,
  lazy,
  change,
}: {
  item: Item;
  pieces: number;
  lazy: boolean;
  change: (by: number) => void;
}) {
  return (
    <li className="item">
      <div>
        <h2>{item.name}</h2>
        <p>{item.description}</p>
        <p>{`$${item.price}`}</p>
      </div>
      <img src={item.image} alt="" width="96" height="96" loading={lazy ? "lazy" : undefined} />
      <span>
        <button type="button" name="remove" aria-label={`Remove ${item.name}`} onClick={() => change(-1)}>
          −
        </button>
        <output>{pieces}</output>
        <button type="button" name="add" aria-label={`Add ${item.name}`} onClick={() => change(1)}>
          +
        </button>
      </span>
    </li>
  );
}

function Menu({ name, items }: Props) {
  const [basket, setBasket] = useState<Record<number, number>>({});
  useEffect(() => setBasket(JSON.parse(localStorage.getItem("basket") ?? "{}")), []);
  const of = (item: Item) => basket[item.id] ?? 0;
  const change = (item: Item, by: number) => {
    const next = { ...basket, [item.id]: Math.max(0, of(item) + by) };
    localStorage.setItem("basket", JSON.stringify(next));
    setBasket(next);
  };
  const count = items.reduce((sum, item) => sum + of(item), 0);
  const total = items.reduce((sum, item) => sum + of(item) * Number(item.price), 0);
  return (
    <>
      <h1>{name}</h1>
      <ul>
        {items.map((item, i) => (
          <Row key={item.id} item={item} pieces={of(item)} lazy={i > 5} change={(by) => change(item, by)} />
        ))}
      </ul>
      <p className="bar">
        <output>{`${count} items`}</output>
        <output>{`$${total.toFixed(2)}`}</output>
        <button type="button">View Order</button>
      </p>
    </>
  );
}

const root = document.getElementById("root");
const props = document.getElementById("props")?.textContent;
if (root && props) hydrateRoot(root, <Menu {...(JSON.parse(props) as Props)} />);
