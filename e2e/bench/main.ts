// This program measures for tools/bench what only a browser can measure. Its arguments are the addresses of the menu, a payment page and a
// hand-written static menu, and those of a menu and a payment page that React hydrates. It prints its figures as one line of JSON.
import { type Audit, audit } from "./audit";
import { withBrowser } from "./browser";
import { inPlace, inPlaceAfter, ready } from "./ready";
import { type Weight, weigh } from "./weight";

async function main([menu, payment, handWritten, react, reactPayment]: string[]): Promise<void> {
  if (!menu || !payment || !handWritten || !react || !reactPayment) {
    throw new Error("usage: main MENU PAYMENT HAND-WRITTEN REACT REACT-PAYMENT");
  }
  const [menuReady, handWrittenReady, reactReady] = await withBrowser((browser) =>
    ready(browser, [menu, handWritten, react]),
  );
  const [paymentReady, reactPaymentReady] = await withBrowser((browser) => inPlace(browser, [payment, reactPayment]));
  const [paymentAfterMenu] = await withBrowser((browser) => inPlaceAfter(browser, menu, [payment]));
  const weight = (url: string): Promise<Weight> => withBrowser((browser) => weigh(browser, url));
  const look = (url: string, onPurpose?: string[]): Promise<Audit> => audit(new URL(url, menu).href, onPurpose);
  const figures = {
    ready: {
      menu: menuReady,
      handWritten: handWrittenReady,
      react: reactReady,
      payment: paymentReady,
      reactPayment: reactPaymentReady,
      paymentAfterMenu,
    },
    weights: { menu: await weight(menu), payment: await weight(payment) },
    audits: {
      start: await look("/"),
      menu: await look(menu),
      // A payment page is somebody's own: no search engine may list it.
      payment: await look(payment, ["is-crawlable"]),
      signIn: await look("/signin"),
      docs: await look("/docs"),
    },
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

await main(process.argv.slice(2));
