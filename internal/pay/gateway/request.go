package gateway

import (
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/money"
)

// CardPayment is one attempt to charge a card. Reference is the attempt's UUID, Amount is in minor units of Currency, and ReturnURL
// is where the customer returns after 3-D Secure.
type CardPayment struct {
	MerchantID string
	TrxID      string
	Reference  string
	Amount     int64
	Currency   string
	Cardholder string
	PAN        card.Number
	Exp        card.Expiry
	CVC        card.CVC
	TestMode   bool
	Email      string
	Descriptor string
	ReturnURL  string
}

// ResolveRequest names the payment to settle for good, as it was sent. Amount (minor units) and Currency are compared with the
// answer but not sent.
type ResolveRequest struct {
	Reference  string
	MerchantID string
	TestMode   bool
	Amount     int64
	Currency   string
	Wallet     bool // paid by wallet, whose answers follow another rule; not sent
}

// Want is what was asked for. An answer with another reference, amount (minor units) or currency is a Mismatch; a zero Amount or
// empty Currency or Reference is not compared. Wallet selects the rule by which the answer is read.
type Want struct {
	Reference string
	Amount    int64
	Currency  string
	Wallet    bool
}

func (p CardPayment) want() Want    { return Want{p.Reference, p.Amount, p.Currency, false} }
func (r ResolveRequest) want() Want { return Want{r.Reference, r.Amount, r.Currency, r.Wallet} }

// cardWire is the only place that holds card data in plain text; it lives for one call.
type cardWire struct {
	MerchantID string `json:"merchantId"`
	TrxID      string `json:"trxId"`
	Reference  string `json:"reference"`
	Amount     string `json:"amount"`
	Currency   string `json:"currency"`
	Cardholder string `json:"cardholder"`
	PAN        string `json:"pan"`
	Exp        string `json:"exp"`
	CVC        string `json:"cvc"`
	TestMode   bool   `json:"testMode"`
	Email      string `json:"cEmail"`
	Descriptor string `json:"descriptor"`
	ReturnURL  string `json:"returnUrl"`
}

func (p CardPayment) wire() cardWire {
	return cardWire{
		MerchantID: p.MerchantID, TrxID: p.TrxID, Reference: p.Reference,
		Amount: money.Wire(p.Amount), Currency: p.Currency,
		Cardholder: p.Cardholder, PAN: p.PAN.Reveal(), Exp: p.Exp.String(), CVC: p.CVC.Reveal(),
		TestMode: p.TestMode, Email: p.Email, Descriptor: p.Descriptor, ReturnURL: p.ReturnURL,
	}
}

type resolveWire struct {
	MerchantID string `json:"merchantId"`
	TestMode   bool   `json:"testMode"`
}

func (r ResolveRequest) wire() resolveWire {
	return resolveWire{MerchantID: r.MerchantID, TestMode: r.TestMode}
}
