import { cleanup, configure, render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Wallets } from "../../props.gen";
import GoogleButton from "./google-button";

configure({ asyncUtilTimeout: 10_000 }); // a busy machine takes longer than one second

const page: Wallets = {
  shop: "panezski",
  merchant: "Panezski",
  trxId: "trx-1",
  pageUrl: "/pos/panezski/trx-1",
  key: "key-1",
  amount: "12.50",
  amountLabel: "$12.50",
  currency: "AUD",
  countryCode: "AU",
  description: "Invoice 7",
  ships: false,
  google: { script: "", environment: "TEST", merchantId: "", gateway: "example", nonce: "" },
  simulated: false,
};

afterEach(cleanup);

/** failing shows the button of a Google whose sheet fails with a status, taps it, and returns what is heard and logged. */
async function failing(statusCode: string, listens: boolean) {
  const heard = vi.fn();
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const failure = { statusCode };
  const opened = vi.fn(() => Promise.reject(failure));
  class PaymentsClient {
    loadPaymentData = opened;
    prefetchPaymentData() {}
    async isReadyToPay() {
      return { result: true };
    }
    createButton({ onClick }: { onClick: (event: Event) => void }) {
      const button = document.createElement("button");
      button.addEventListener("click", onClick);
      return button;
    }
  }
  vi.stubGlobal("google", { payments: { api: { PaymentsClient } } });
  // Google's styles go into this root: happy-dom takes none into a document.
  const root = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
  const container = root.appendChild(document.createElement("div"));
  const { findByRole } = render(
    <GoogleButton page={page} onOffer={() => {}} {...(listens && { onFailure: heard })} />,
    { container, baseElement: container },
  );
  (await findByRole("button")).click();
  await vi.waitFor(() => expect(opened).toHaveBeenCalledOnce(), 10_000);
  await new Promise((done) => setTimeout(done)); // what the refusal leads to is done by then
  return { failure, heard, logged };
}

test("a failure goes to the callback alone (WALLET-29)", async () => {
  const { failure, heard, logged } = await failing("DEVELOPER_ERROR", true);
  expect(heard).toHaveBeenCalledExactlyOnceWith(failure);
  expect(logged).not.toHaveBeenCalled();
});

test("a failure without a callback is logged (WALLET-29)", async () => {
  const { failure, heard, logged } = await failing("DEVELOPER_ERROR", false);
  expect(heard).not.toHaveBeenCalled();
  expect(logged).toHaveBeenCalledExactlyOnceWith(failure);
});

test.each([true, false])("a sheet that is closed is no failure, with a callback: %o (WALLET-28)", async (listens) => {
  const { heard, logged } = await failing("CANCELED", listens);
  expect(heard).not.toHaveBeenCalled();
  expect(logged).not.toHaveBeenCalled();
});
