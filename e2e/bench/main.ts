// This program measures for cmd/bench what only a browser can measure. Its arguments are the addresses of the menu, a payment page and a
// hand-written static menu, and those of a menu and a payment page that React hydrates. It prints its figures as one line of JSON.
import { type Audit, audit } from "./audit";
import { withBrowser } from "./browser";
import { inPlace, ready } from "./ready";
import { type Weight, weigh } from "./weight";

interface PageFigures {
  weight: Weight;
  audit: Audit;
}

async function main([menu, payment, handWritten, react, reactPayment]: string[]): Promise<void> {
  if (!menu || !payment || !handWritten || !react || !reactPayment) {
    throw new Error("usage: main MENU PAYMENT HAND-WRITTEN REACT REACT-PAYMENT");
  }
  const [menuReady, handWrittenReady, reactReady] = await withBrowser((browser) =>
    ready(browser, [menu, handWritten, react]),
  );
  const [paymentReady, reactPaymentReady] = await withBrowser((browser) => inPlace(browser, [payment, reactPayment]));
  const page = (url: string): Promise<PageFigures> =>
    withBrowser(async (browser, port) => ({ weight: await weigh(browser, url), audit: await audit(port, url) }));
  const figures = {
    ready: {
      menu: menuReady,
      handWritten: handWrittenReady,
      react: reactReady,
      payment: paymentReady,
      reactPayment: reactPaymentReady,
    },
    menu: await page(menu),
    payment: await page(payment),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

await main(process.argv.slice(2));
