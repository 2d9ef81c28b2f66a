package gateway

import (
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
)

// Want is what was asked for. An answer with another reference, amount (minor units) or currency is a Mismatch; a zero Amount or
// empty Currency or Reference is not compared.
type Want struct {
	Reference  string // the attempt's UUID
	MerchantID string
	TestMode   bool
	Amount     int64
	Currency   string
	Wallet     bool // paid by wallet, whose answers follow another rule; not sent
}

// CardPayment is one attempt to charge a card. ReturnURL is where the customer returns after 3-D Secure.
type CardPayment struct {
	Want
	TrxID      string
	Cardholder string
	PAN        card.Number
	Exp        typed.Expiry
	CVC        card.CVC
	Email      string
	Descriptor string
	ReturnURL  string
}

// wire is the only place that holds card data in plain text; it lives for one call.
func (p CardPayment) wire() map[string]any {
	return map[string]any{
		"merchantId": p.MerchantID, "trxId": p.TrxID, "reference": p.Reference, "amount": money.Wire(p.Amount), "currency": p.Currency,
		"cardholder": p.Cardholder, "pan": p.PAN.Reveal(), "exp": p.Exp.String(), "cvc": p.CVC.Reveal(), "testMode": p.TestMode,
		"cEmail": p.Email, "descriptor": p.Descriptor, "returnUrl": p.ReturnURL,
	}
}
