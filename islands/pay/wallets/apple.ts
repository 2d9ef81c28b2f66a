/// <reference types="applepayjs" />
import type { Wallets } from "../../props.gen";
import { problemOf } from "./messages";

/** The versions of Apple Pay to try, newest first (WALLET-24). */
const newest = 12;

/** The version that introduced each network (WALLET-23), from Apple's documentation. */
export const minimumVersions = { amex: 1, masterCard: 1, visa: 1 } as const;

export const networks = Object.keys(minimumVersions) as (keyof typeof minimumVersions)[];

/**
 * appleVersion returns the newest version that this device supports and that has every network; undefined if the device
 * cannot pay with Apple Pay.
 */
export function appleVersion(): number | undefined {
  if (!("ApplePaySession" in window)) return undefined;
  try {
    if (!ApplePaySession.canMakePayments()) return undefined;
    const least = Math.max(...Object.values(minimumVersions));
    for (let version = newest; version >= least; version--) {
      if (ApplePaySession.supportsVersion(version)) return version;
    }
  } catch {
    // Apple Pay throws on a page that is not secure.
  }
  return undefined;
}

/** appleRequest returns the request that opens the sheet (WALLET-18 to WALLET-22). */
export function appleRequest(page: Wallets): ApplePayJS.ApplePayPaymentRequest {
  return {
    countryCode: "AU",
    currencyCode: "AUD",
    supportedNetworks: [...networks],
    merchantCapabilities: ["supports3DS", "supportsCredit", "supportsDebit"],
    total: appleTotal(page),
    requiredShippingContactFields: page.ships ? ["email", "name", "postalAddress"] : ["email"],
    ...(page.ships ? { shippingType: "shipping", shippingMethods: shippingMethods("AU") } : {}),
  };
}

export function appleTotal(page: Wallets): ApplePayJS.ApplePayLineItem {
  return { label: page.merchant, type: "final", amount: page.amount };
}

/** shippingMethods lists the ways to ship to a country. The price includes all of them. */
export function shippingMethods(country: string | undefined): ApplePayJS.ApplePayShippingMethod[] {
  if (country?.toUpperCase() === "AU") {
    return [
      { identifier: "standard", label: "Standard", detail: "3-5 days", amount: "0.00" },
      { identifier: "expedited", label: "Expedited", detail: "1-3 days", amount: "0.00" },
    ];
  }
  return [{ identifier: "international", label: "International", detail: "5-10 days", amount: "0.00" }];
}

/** contactErrors lists what is wrong with the sheet's contact, in the sheet's terms (WALLET-25). */
export function contactErrors(page: Wallets, contact: ApplePayJS.ApplePayPaymentContact | undefined): ApplePayError[] {
  const errors: ApplePayError[] = [];
  const check = (message: string, field: ApplePayJS.ApplePayErrorContactField) => {
    if (message) errors.push(new ApplePayError("shippingContactInvalid", field, message));
  };
  check(problemOf(contact?.emailAddress ?? "", "required", "email"), "emailAddress");
  if (!page.ships) return errors;
  check(problemOf(contact?.familyName || contact?.givenName || "", "required"), "name");
  check(problemOf(contact?.addressLines?.join("") ?? "", "required"), "addressLines");
  check(problemOf(contact?.locality ?? "", "required"), "locality");
  const australian = contact?.countryCode?.toUpperCase() === "AU";
  if (australian) check(problemOf(contact?.postalCode ?? "", "required", "digits"), "postalCode");
  return errors;
}
