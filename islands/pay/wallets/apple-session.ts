import type { Wallets } from "../../props.gen";
import { appleRequest, appleTotal, contactErrors, shippingMethods } from "./apple";
import { call, type Offer, type Verdict } from "./pay";

export { appleVersion } from "./apple";

interface Callbacks {
  /** Sends the payment; the sheet waits for its outcome. */
  pay(offer: Offer): Promise<Verdict>;
  /** The sheet knows the outcome: the page may show it. */
  settled(verdict: Verdict): void;
  cancelled(): void;
  failed(error: unknown): void;
}

/** beginSession opens Apple's sheet. It has to be called in the task of a tap. */
export function beginSession(version: number, page: Wallets, { pay, settled, cancelled, failed }: Callbacks): void {
  const session = new ApplePaySession(version, appleRequest(page));
  const newTotal = appleTotal(page);
  session.onvalidatemerchant = async ({ validationURL }) => {
    try {
      const body = { validationURL, merchantId: page.shop, currency: "AUD" };
      session.completeMerchantValidation(await call("/api/wallet/session", body));
    } catch (error) {
      session.abort();
      failed(error);
    }
  };
  session.onpaymentmethodselected = () => session.completePaymentMethodSelection({ newTotal });
  session.onshippingcontactselected = ({ shippingContact }) =>
    session.completeShippingContactSelection({
      newTotal,
      newShippingMethods: shippingMethods(shippingContact.countryCode),
    });
  session.onshippingmethodselected = () => session.completeShippingMethodSelection({ newTotal });
  session.onpaymentauthorized = async ({ payment }) => {
    const { token, shippingContact } = payment;
    const errors = contactErrors(page, shippingContact);
    if (errors.length > 0) {
      session.completePayment({ status: ApplePaySession.STATUS_FAILURE, errors });
      return;
    }
    const verdict = await pay({
      wallet: "apple",
      paymentData: token.paymentData,
      paymentMethod: token.paymentMethod,
      email: shippingContact?.emailAddress ?? "",
      shippingAddress: page.ships ? (shippingContact ?? null) : null,
    });
    conclude(session, verdict);
    settled(verdict);
  };
  session.oncancel = cancelled;
  session.begin();
}

/** conclude closes the sheet. If the outcome is not known yet it closes without one, and the page shows it later. */
function conclude(session: ApplePaySession, verdict: Verdict): void {
  switch (verdict.kind) {
    case "approved":
      session.completePayment({ status: ApplePaySession.STATUS_SUCCESS });
      break;
    case "declined":
    case "refused":
      session.completePayment({ status: ApplePaySession.STATUS_FAILURE });
      break;
    default:
      session.abort();
  }
}
