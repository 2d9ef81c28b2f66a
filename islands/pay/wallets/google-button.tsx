import GooglePayButton from "@google-pay/button-react";
import type { Wallets } from "../../props.gen";
import { environmentOf, googleOffer, googleRequest } from "./google";
import type { Offer } from "./pay";

interface Props {
  page: Wallets;
  onOffer(offer: Offer): void;
  onFailure?: (error: unknown) => void;
}

/**
 * GoogleButton is Google's own button, shown once the device is ready. A sheet that is closed (CANCELED) leaves
 * everything as it was; onFailure hears of any other failure, or the console without it (WALLET-28, WALLET-29).
 */
export default function GoogleButton({ page, onOffer, onFailure }: Props) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return (
    <GooglePayButton
      className="google-pay"
      environment={environmentOf(page)}
      paymentRequest={googleRequest(page)}
      onLoadPaymentData={(data) => onOffer(googleOffer(data))}
      onCancel={() => {}}
      {...(onFailure && { onError: onFailure })}
      buttonType="plain"
      buttonColor={dark ? "white" : "black"}
      buttonRadius={8}
      buttonSizeMode="fill"
      buttonLocale="en"
      nonce={page.google.nonce}
    />
  );
}
