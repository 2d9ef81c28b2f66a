package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"forecourt/db/state"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/secret"
)

// walletSource is the source that every wallet payment names (WALLET-09).
const walletSource = "PayLink"

// WalletPayment is one attempt to charge a wallet. ReturnURL is where the customer returns after 3-D Secure.
type WalletPayment struct {
	Want
	Method      state.Method // GooglePay or ApplePay (WALLET-10, WALLET-12)
	TrxID       string
	Description string
	PublicKey   string // the paylink key of the transaction's mode; not the paylink password
	Email       string
	ReturnURL   string
	// Token is Google's token or Apple's payment data. Type and Details are what the wallet says about the card behind it: Google's
	// type and info, or Apple's payment method.
	Token, Type, Details secret.JSON
	ShippingAddress      secret.JSON
}

// PayWallet gets the key of the transaction and sends the payment, once. If there is no key, or no connection could be opened, nothing was
// sent and it returns NotCharged. Anything that goes wrong after that is Unknown. Both calls together take no longer than one may.
func (c *Client) PayWallet(ctx context.Context, p WalletPayment) Answer {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	key, err := c.walletKey(ctx, p)
	if err != nil {
		return Answer{Outcome: NotCharged, Err: fmt.Errorf("no transaction key, nothing was sent: %w", err)}
	}
	p.Wallet = true
	return c.pay(ctx, "/api/wallet", p.wire(key), p.Want)
}

// walletKey leaves at least half of the time for the payment.
func (c *Client) walletKey(ctx context.Context, p WalletPayment) (key secret.Text, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout/2)
	defer cancel()
	c.observed(ctx, http.MethodPost, "/wallet/key", p.Reference, map[string]any{
		"merchantId": p.MerchantID, "amount": money.Wire(p.Amount), "currency": p.Currency, "reference": p.Reference,
		"testMode": p.TestMode,
	}, func(r reply) string {
		if key, err = readKey(r); err != nil {
			return "no key"
		}
		return "key"
	})
	return key, err
}

// readKey takes the result of a status "00" (WALLET-15).
func readKey(got reply) (secret.Text, error) {
	var w struct {
		Status Text `json:"status"`
		Result Text `json:"result"`
	}
	switch {
	case got.err != nil:
		return secret.Text{}, got.err
	case got.status != http.StatusOK:
		return secret.Text{}, fmt.Errorf("gateway answered with HTTP %d", got.status)
	case json.Unmarshal(got.body, &w) != nil:
		return secret.Text{}, errors.New("gateway's answer is not readable as a transaction key")
	case w.Status != "00" || w.Result == "":
		return secret.Text{}, fmt.Errorf("gateway gives no key, status %q", redacted(string(w.Status)))
	}
	return secret.New(string(w.Result)), nil
}

// wire names the fields as the specification does, which calls the merchant merchantId for Google and merchantid for Apple
// (WALLET-08, WALLET-11).
func (p WalletPayment) wire(key secret.Text) map[string]any {
	w := map[string]any{
		"wallet": p.Method, "currency": p.Currency, "amount": money.Wire(p.Amount), "tRef": p.TrxID, "transid": p.TrxID,
		"reference": p.Reference, "description": p.Description, "publickey": p.PublicKey, "source": walletSource,
		"otgMerchant": p.MerchantID, "shippingAddress": p.ShippingAddress.RevealJSON(), "email": p.Email,
		"transactionkey": key.Reveal(), "returnUrl": p.ReturnURL,
	}
	if p.Method == state.ApplePay {
		w["merchantid"], w["paymentData"], w["paymentMethod"] = p.MerchantID, p.Token.RevealJSON(), p.Details.RevealJSON()
		return w
	}
	w["merchantId"], w["token"], w["type"], w["info"] = p.MerchantID, p.Token.RevealJSON(), p.Type.RevealJSON(), p.Details.RevealJSON()
	return w
}
