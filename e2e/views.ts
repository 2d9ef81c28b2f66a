import type { MenuPage } from "./menu-page";
import { cards, type PaymentPage } from "./payment-page";

interface At {
  menu: MenuPage;
  payment: PaymentPage;
  // look is called at each view, with the view's name.
  look(view: string): Promise<void>;
}

const pages = {
  "the provider's pages": {
    "start page": "/",
    search: "/search?phoneNumber=1&displayName=Ann",
    "invalid merchant": "/pos/nosuch",
    "check of a receipt with a problem": "/receipt/verify?code=x",
  },
  "the demos": {
    "all demos": "/demo",
    "terminal demo": "/demo/bridge",
    "QR demo": "/demo/qr",
    "QR demo with a problem": "/demo/qr?client=nosuch",
    "sheet of QR codes": "/demo/qr/print?tables=3",
    "key generator": "/demo/keygen",
    "hosted payment page demo": "/demo/hps",
    "hosted payment page demo after a payment":
      "/demo/hps/embedded?result=approved&amount=5.00&currency=GBP&reference=ORDER-1002",
  },
};

// journeys lead through everything that customers can see.
export const journeys: Record<string, (at: At) => Promise<void>> = {
  "the menu and the order": async ({ menu, look }) => {
    await menu.open("", "tahbella");
    await look("menu of a live business");
    await menu.open("?t=4");
    await look("menu");
    await menu.add("Flat White");
    await menu.add("Butter Croissant");
    await menu.expectQuantity("Butter Croissant", 1);
    await look("menu with a basket");
    const item = await menu.row("Flat White").getAttribute("data-item");
    await menu.openOrder();
    await look("order");
    await menu.page.goto(`/pos/panezski/order?t=4&b=${item}x2`);
    await menu.proceed.waitFor();
    await look("order page");
    await menu.page.goto(`/pos/panezski/order?b=${item}x2`);
    await menu.proceed.waitFor();
    await look("order page that asks for a name");
    await menu.page.goto("/pos/panezski/order?t=4");
    await look("empty order page");
  },
  "a payment until it is declined": async ({ payment, look }) => {
    await payment.order();
    await look("payment form");
    await payment.fill("4111 1111 1111 1112", { expiry: "01/20", cvc: "1", email: "x" });
    await payment.payButton.click();
    await payment.page.locator("[aria-invalid=true]").first().waitFor();
    await look("payment form with problems");
    await payment.payWith(cards.declined);
    await payment.expectState("failure");
    await look("failure");
    await payment.page.goto("/pos/panezski/zzz");
    await look("no such transaction");
  },
  "a payment until its receipt": async ({ payment, look }) => {
    const { page } = payment;
    await page.goto("/pos/panezski/demo");
    await payment.payWith(cards.approved);
    await payment.expectState("success");
    await look("success");
    const address = await payment.order();
    await payment.payWith(cards.challenge);
    await payment.reachBank();
    const bank = page.url();
    await page.goto(`/pos/panezski/${address}`);
    await payment.expectState("waiting");
    await look("waiting");
    await page.goto(bank);
    await page.getByRole("button", { name: "Approve" }).click();
    await payment.expectState("status");
    await look("status");
    await page.getByRole("link", { name: "Receipt", exact: true }).click();
    await page.getByRole("heading", { name: "Tax invoice" }).waitFor();
    await look("receipt");
    await page.getByText("Signed receipt").click();
    await page.getByRole("link", { name: "Check this receipt" }).last().click();
    await page.getByRole("heading", { name: "This receipt is genuine" }).waitFor();
    await look("receipt that is checked");
  },
  ...Object.fromEntries(
    Object.entries(pages).map(([name, views]) => [
      name,
      async ({ menu, look }: At) => {
        for (const [view, path] of Object.entries(views)) {
          await menu.page.goto(path);
          await look(view);
        }
      },
    ]),
  ),
  "a document with open menus": async ({ menu, look }) => {
    await menu.page.goto("/privacy");
    await menu.page.locator(".top .fold summary").click();
    await menu.page.getByText("Developers", { exact: true }).click();
    await look("document with open menus");
  },
};
