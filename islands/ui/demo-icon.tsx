import { Drawn } from "./parts";

/** Icons of the demos alone, apart from those that a customer's phone has to fetch. */
const paths = {
  "arrow-right": "M5 12h14M12 5l7 7-7 7",
  check: "M20 6 9 17l-5-5",
  "chevron-down": "m6 9 6 6 6-6",
  clock: "M12 6v6l4 2M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0",
};

export function DemoIcon({ name }: { name: keyof typeof paths }) {
  return <Drawn path={paths[name]} />;
}
