package sandbox

import (
	"net/http"
	"time"

	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
)

// named accompanies every card and wallet response, so that the caller can check what it is about.
type named struct {
	Reference string `json:"reference"`
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
}

type cardAnswer struct {
	gateway.CardResponse
	named
}

// walletAnswer is the specification's wallet response. A response type is there only for a pending 3-D Secure challenge.
type walletAnswer struct {
	Status struct {
		ResponseType string `json:"responsetype,omitempty"`
		StatusCode   string `json:"statuscode"`
		ErrorDesc    string `json:"errordesc"`
	} `json:"status"`
	TransactionID string           `json:"transactionid"`
	Code          string           `json:"code"`
	Redirect      string           `json:"redirect"`
	AuthResponse  gateway.CardAuth `json:"authresponse"`
	named
}

// writeState answers what became of a payment that may still be open.
func (s *Sandbox) writeState(w http.ResponseWriter, p payment) {
	switch {
	case p.State == notCharged:
		answer(w, http.StatusOK, map[string]string{"state": string(notCharged), "reference": p.Reference})
	case p.open(s.Now()):
		answer(w, http.StatusAccepted, map[string]string{"state": "pending", "reference": p.Reference})
	default:
		answer(w, http.StatusOK, s.response(p))
	}
}

// open reports whether nobody knows yet what becomes of the payment.
func (p payment) open(now time.Time) bool {
	return p.State == challenged || p.State == failed || p.At.After(now)
}

func (s *Sandbox) response(p payment) any {
	auth := gateway.CardAuth{BankTransactionNo: gateway.Text(p.BankNo), GatewayReference: gateway.Text(p.GatewayRef)}
	about := named{Reference: p.Reference, Amount: money.Wire(p.Amount), Currency: p.Currency}
	redirect := ""
	if p.State == challenged {
		redirect = s.challengeURL(p.Reference)
	}
	if p.Wallet {
		a := walletAnswer{TransactionID: p.TransactionID, Code: p.Code, Redirect: redirect, AuthResponse: auth, named: about}
		a.Status.StatusCode, a.Status.ErrorDesc = p.StatusCode, p.Description
		if p.State == challenged {
			// Only the status code tells a wallet's success, so it must not be "0" here.
			a.Status.ResponseType, a.Status.StatusCode = "2", "2"
		}
		return a
	}
	a := cardAnswer{named: about, CardResponse: gateway.CardResponse{
		Status:        gateway.CardStatus{ResponseType: "1", StatusCode: gateway.Text(p.StatusCode), ErrorDesc: gateway.Text(p.Description)},
		TransactionID: gateway.Text(p.TransactionID), Code: gateway.Text(p.Code), Redirect: gateway.Text(redirect),
		TransactionDateUTC: gateway.Text(p.At.Format(time.RFC3339)),
		Billing:            gateway.CardBilling{AuthResponse: auth},
		Consumer:           p.Consumer,
	}}
	if p.State == challenged {
		a.Status.ResponseType = "2"
	}
	if p.LastFour != "" {
		a.Billing.Card.PAN = gateway.Text("************" + p.LastFour)
	}
	return a
}
