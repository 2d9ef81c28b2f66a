import type { MenuPage } from "./menu-page";
import { cards, type PaymentPage } from "./payment-page";

interface At {
  menu: MenuPage;
  payment: PaymentPage;
}

// views lists what a customer can see, and how to get there. What looks at every view takes it from here.
export const views: Record<string, (at: At) => Promise<void>> = {
  menu: ({ menu }) => menu.open(),
  "menu with a basket": async ({ menu }) => {
    await menu.open();
    await menu.add("Flat White");
    await menu.add("Butter Croissant");
    await menu.expectQuantity("Butter Croissant", 1);
  },
  "menu of a live business": ({ menu }) => menu.open("", "tahbella"),
  "invalid merchant": ({ menu }) => menu.open("", "nosuch"),
  order: async ({ menu }) => {
    await menu.open("?t=4");
    await menu.add("Flat White");
    await menu.expectQuantity("Flat White", 1);
    await menu.openOrder();
  },
  "order page": ({ menu }) => openOrderPage(menu, "?t=4"),
  "order page that asks for a name": ({ menu }) => openOrderPage(menu, ""),
  "empty order page": async ({ menu }) => {
    await menu.page.goto("/pos/panezski/order?t=4");
  },
  "payment form": async ({ menu, payment }) => {
    await menu.orderOne();
    await payment.expectState("form");
  },
  "payment form with problems": async ({ menu, payment }) => {
    await menu.orderOne();
    await payment.fill("4111 1111 1111 1112", { expiry: "01/20", cvc: "1", email: "x" });
    await payment.payButton.click();
    await payment.page.locator("[aria-invalid=true]").first().waitFor();
  },
  waiting: async ({ menu, payment }) => {
    const id = await menu.orderOne();
    await payment.payWith(cards.challenge);
    await payment.reachBank();
    await payment.page.goto(`/pos/panezski/${id}`);
    await payment.expectState("waiting");
  },
  failure: async ({ menu, payment }) => {
    await menu.orderOne();
    await payment.payWith(cards.declined);
    await payment.expectState("failure");
  },
  success: async ({ payment }) => {
    await payment.page.goto("/pos/panezski/demo");
    await payment.payWith(cards.approved);
    await payment.expectState("success");
  },
  status: async ({ menu, payment }) => {
    await menu.orderOne();
    await payment.payWith(cards.approved);
    await payment.expectState("status");
  },
  receipt: ({ menu, payment }) => openReceipt(menu, payment),
  "receipt that is checked": async ({ menu, payment }) => {
    await openReceipt(menu, payment);
    await menu.page.getByRole("link", { name: "Check this receipt" }).last().click();
    await menu.page.getByRole("heading", { name: "This receipt is genuine" }).waitFor();
  },
  "check of a receipt with a problem": async ({ menu }) => {
    await menu.page.goto("/receipt/verify?code=x");
  },
  "start page": async ({ menu }) => {
    await menu.page.goto("/");
  },
  "document with open menus": async ({ menu }) => {
    await menu.page.goto("/privacy");
    await menu.page.locator(".fold summary").click();
    await menu.page.getByText("Developers", { exact: true }).click();
  },
  "terminal demo": async ({ menu }) => {
    await menu.page.goto("/demo/bridge");
  },
  "QR demo": async ({ menu }) => {
    await menu.page.goto("/demo/qr");
  },
  "QR demo with a problem": async ({ menu }) => {
    await menu.page.goto("/demo/qr?client=nosuch");
  },
  "sheet of QR codes": async ({ menu }) => {
    await menu.page.goto("/demo/qr/print?tables=3");
  },
  "all demos": async ({ menu }) => {
    await menu.page.goto("/demo");
  },
  search: async ({ menu }) => {
    await menu.page.goto("/search?phoneNumber=1&displayName=Ann");
  },
  "key generator": async ({ menu }) => {
    await menu.page.goto("/demo/keygen");
  },
  "hosted payment page demo": async ({ menu }) => {
    await menu.page.goto("/demo/hps");
  },
  "hosted payment page demo after a payment": async ({ menu }) => {
    await menu.page.goto("/demo/hps/embedded?result=approved&amount=5.00&currency=GBP&reference=ORDER-1002");
  },
  "no such transaction": async ({ payment }) => {
    await payment.page.goto("/pos/panezski/zzz");
  },
};

async function openReceipt(menu: MenuPage, payment: PaymentPage): Promise<void> {
  await menu.orderOne();
  await payment.payWith(cards.approved);
  await menu.page.getByRole("link", { name: "Receipt", exact: true }).click();
  await menu.page.getByRole("heading", { name: "Tax invoice" }).waitFor();
}

async function openOrderPage(menu: MenuPage, query: string): Promise<void> {
  await menu.open(query);
  const item = await menu.row("Flat White").getAttribute("data-item");
  await menu.page.goto(`/pos/panezski/order${query}${query ? "&" : "?"}b=${item}x2`);
  await menu.proceed.waitFor();
}
