/// <reference types="googlepay" />
import type { Wallets } from "../../props.gen";
import type { Offer } from "./pay";

const card: google.payments.api.CardParameters = {
  allowedAuthMethods: ["PAN_ONLY", "CRYPTOGRAM_3DS"],
  allowedCardNetworks: ["AMEX", "DISCOVER", "JCB", "INTERAC", "MASTERCARD", "VISA"],
};

/** googleRequest returns the request that opens the sheet (WALLET-02 to WALLET-07). */
export function googleRequest(page: Wallets): google.payments.api.PaymentDataRequest {
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: { merchantId: page.google.merchantId, merchantName: page.merchant },
    allowedPaymentMethods: [
      {
        type: "CARD",
        parameters: card,
        tokenizationSpecification: {
          type: "PAYMENT_GATEWAY",
          parameters: { gateway: page.google.gateway, gatewayMerchantId: page.shop },
        },
      },
    ],
    transactionInfo: {
      totalPriceStatus: "FINAL",
      totalPrice: page.amount,
      currencyCode: page.currency,
      countryCode: page.countryCode || "AU",
    },
    emailRequired: true,
    shippingAddressRequired: page.ships,
  };
}

/** googleOffer returns what a confirmed sheet gives to the server. */
export function googleOffer(data: google.payments.api.PaymentData): Offer {
  const { tokenizationData, type, info } = data.paymentMethodData;
  return {
    wallet: "gpay",
    token: tokenizationData.token,
    type,
    info: info ?? null,
    email: data.email ?? "",
    shippingAddress: data.shippingAddress ?? null,
  };
}

/** googleReady reports whether this device can pay with Google Pay. It waits for Google's script, however long that takes. */
export async function googleReady(page: Wallets): Promise<boolean> {
  await loadScript(page.google.script);
  const { merchantInfo, apiVersion, apiVersionMinor, allowedPaymentMethods } = googleRequest(page);
  const client = new google.payments.api.PaymentsClient({
    environment: environmentOf(page),
    merchantInfo,
  });
  const { result } = await client.isReadyToPay({ apiVersion, apiVersionMinor, allowedPaymentMethods });
  return result;
}

export function environmentOf(page: Wallets): google.payments.api.Environment {
  return page.google.environment === "PRODUCTION" ? "PRODUCTION" : "TEST";
}

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${address} did not load`));
    };
    document.head.append(script);
  });
}
