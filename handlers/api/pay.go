package api

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"time"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/run/throttle"
	view "forecourt/views/pay"
)

// payRequest is a card payment. An amount, currency or mode that a caller sends is ignored: those of the transaction count.
type payRequest struct {
	MerchantID string     `json:"merchantId"`
	TrxID      string     `json:"trxId"`
	Cardholder string     `json:"cardholder"`
	PAN        card.Typed `json:"pan"`
	Exp        string     `json:"exp"`
	CVC        card.Typed `json:"cvc"`
	Email      string     `json:"cEmail"`
	TryAgain   bool       `json:"tryAgain"` // the payer wants to try again after a payment that failed
}

// PayByCard answers POST /api/pay: 200 with the card response for approved and declined, 202 while the outcome is unknown.
func (h *Handler) PayByCard(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadJSON[payRequest](r)
	if err != nil {
		return err
	}
	a := asked{shop: body.MerchantID, trx: body.TrxID, trxName: "trxId", again: body.TryAgain, shape: cardResponseOf}
	checked, problems := payment.CardInput{
		Name: body.Cardholder, Number: body.PAN, Expiry: body.Exp, CVC: body.CVC, Email: body.Email,
	}.Check(time.Now())
	if len(problems) > 0 {
		a.refuse = func() error { return refuseCard(w, problems) }
	}
	checked.From = h.Proxies.Client(r)
	a.pay = func(key string) (db.Attempt, error) {
		attempt, err := h.Payments.PayCard(r.Context(), a.shop, a.trx, key, checked)
		if err == nil && attempt.State != state.AttemptApproved {
			h.Payers.Keep(w, a.shop, a.trx, session.Payer{Name: body.Cardholder, Email: body.Email})
		}
		return attempt, err
	}
	return h.answerPayment(w, r, a)
}

// asked is a payment as a call asks for it.
type asked struct {
	shop, trx string
	trxName   string       // the call's name for trx
	again     bool         // the payer wants to try again after a payment that failed
	refuse    func() error // answers what cannot be sent; nil for what can
	pay       func(key string) (db.Attempt, error)
	shape     func(db.Attempt) any // of the answer
}

// answerPayment makes the payment that was asked for. If the last payment failed and the payer wants to try again, it first opens the
// transaction again.
func (h *Handler) answerPayment(w http.ResponseWriter, r *http.Request, a asked) error {
	key, err := paymentKey(r)
	switch {
	case err != nil:
		return err
	case a.shop == "":
		return web.Missing("merchantId")
	case a.trx == "":
		return web.Missing(a.trxName)
	}
	guessable, err := h.Payments.Guessable(r.Context(), a.shop, a.trx, key)
	if err != nil {
		return err
	}
	if guessable {
		shape := a.shape
		a.shape = func(attempt db.Attempt) any {
			attempt.PayerName, attempt.PayerEmail, attempt.CardLastFour = "", "", ""
			return shape(attempt)
		}
	}
	if a.refuse != nil {
		// The key alone identifies the payment: a repeated call gets the same answer, whatever it has.
		before, found, err := h.Payments.Before(r.Context(), a.shop, a.trx, key)
		switch {
		case err != nil:
			return err
		case !found:
			return a.refuse()
		}
		return writeAttempt(w, before, a.shape)
	}
	attempt, err := a.pay(key)
	if a.again && errors.Is(err, payment.ErrDeclined) {
		if _, err := h.Payments.Free(r.Context(), a.shop, a.trx); err != nil {
			return refusePayment(w, err)
		}
		attempt, err = a.pay(key)
	}
	if err != nil {
		return refusePayment(w, err)
	}
	if !guessable {
		h.Payers.Paying(w, a.shop, a.trx, attempt.ID)
	}
	return writeAttempt(w, attempt, a.shape)
}

// writeAttempt answers with the state of an attempt in the shape of this call. With the same key, a call of the other kind may have made
// the attempt.
func writeAttempt(w http.ResponseWriter, attempt db.Attempt, shape func(db.Attempt) any) error {
	switch attempt.State {
	case state.AttemptApproved, state.AttemptDeclined:
		return web.WriteJSON(w, http.StatusOK, shape(attempt))
	case state.AttemptNotCharged:
		if attempt.ErrorMsg == payment.SaidUnconfirmed {
			return refusePayment(w, payment.ErrUnconfirmed)
		}
		// There is no Retry-After, because this key will never get another answer.
		return web.WriteJSON(w, http.StatusServiceUnavailable, map[string]string{
			"error": "The payment did not reach the bank. Nothing was charged.", "state": string(state.AttemptNotCharged),
		})
	case state.AttemptRedirected:
		return web.WriteJSON(w, http.StatusAccepted, map[string]string{"state": string(state.Processing), "redirect": attempt.RedirectUrl})
	default:
		return web.WriteJSON(w, http.StatusAccepted, map[string]string{"state": string(state.Processing)})
	}
}

// refuseCard says what is wrong with each field, by the names of the request.
func refuseCard(w http.ResponseWriter, problems payment.Problems) error {
	names := map[string]string{"name": "cardholder", "card": "pan", "exp": "exp", "cvc": "cvc", "email": "cEmail"}
	fields, first := map[string]string{}, ""
	for _, field := range []string{"email", "cvc", "exp", "card", "name"} {
		if problem, wrong := problems[field]; wrong {
			first = names[field]
			fields[first] = view.ProblemText(field, problem)
		}
	}
	return web.WriteJSON(w, http.StatusUnprocessableEntity, map[string]any{
		"error": "Please check the card details.", "field": first, "fields": fields,
	})
}

// paidInfo is all that anybody other than the payer learns about a paid transaction.
type paidInfo struct {
	State    string    `json:"state"`
	Amount   amount    `json:"amount"`
	Currency string    `json:"currency"`
	At       time.Time `json:"at"`
}

func refusePayment(w http.ResponseWriter, err error) error {
	var paid *payment.PaidError
	var soldOut *payment.SoldOutError
	var limit *payment.LimitError
	var text, field string
	switch {
	case errors.As(err, &paid):
		return web.WriteJSON(w, http.StatusOK, paidInfo{"paid", amount(paid.Amount), paid.Currency, paid.At.UTC()})
	case errors.As(err, &limit):
		text = view.TooMany(limit)
		err = errors.Join(err, &throttle.Error{After: limit.After})
	case errors.Is(err, payment.ErrMissing):
		text, field = "No such transaction.", "trxId"
	case errors.Is(err, payment.ErrNoWallet):
		text = view.NoWallet
	case errors.Is(err, payment.ErrHeld):
		text = "Another payment of this transaction is under way or being checked. Please do not pay again."
	case errors.Is(err, payment.ErrDeclined):
		field = "tryAgain"
		text = "The last payment did not go through. Nothing was charged. Choose Try Again first; over the API, " +
			`send "tryAgain": true.`
	case errors.Is(err, payment.ErrOtherMode):
		text = view.OtherMode
	case errors.Is(err, payment.ErrUnconfirmed):
		text = view.Unconfirmed
	case errors.Is(err, payment.ErrExpired):
		text = "This was not paid in time. Nothing was charged."
	case errors.Is(err, payment.ErrPaused):
		text = view.Paused
	case errors.Is(err, payment.ErrRestored):
		text = view.Restored
	case errors.As(err, &soldOut):
		text = view.SoldOut(soldOut.Names)
	default:
		return err
	}
	return &web.APIError{Err: err, Text: text, Field: field}
}

// cardResponseOf is the specification's card response made from what is stored, so that asking again gets the same answer.
func cardResponseOf(a db.Attempt) any {
	res := gateway.CardResponse{
		Status:        gateway.CardStatus{ResponseType: "1", StatusCode: "0", ErrorDesc: gateway.Text(a.ErrorMsg)},
		TransactionID: gateway.Text(*cmp.Or(a.Transactionid, new(string))), Code: gateway.Text(a.Code),
		TransactionDateUTC: gateway.Text(cmp.Or(a.SettledAt, &a.CreatedAt).UTC().Format(time.RFC3339)),
		Redirect:           onward(a),
		Billing:            gateway.CardBilling{AuthResponse: authOf(a), Card: gateway.CardMasked{PAN: gateway.Text(a.CardLastFour)}},
	}
	if a.State != state.AttemptApproved {
		res.Status.ResponseType, res.Status.StatusCode = "0", "1"
	}
	first, last := split(a.PayerName)
	res.Consumer = gateway.CardConsumer{FirstName: gateway.Text(first), LastName: gateway.Text(last), Email: gateway.Text(a.PayerEmail)}
	return res
}

// onward is where the gateway sends the payer after an approval.
func onward(a db.Attempt) gateway.Text {
	if a.State != state.AttemptApproved {
		return ""
	}
	return gateway.Text(a.RedirectUrl)
}

func authOf(a db.Attempt) gateway.CardAuth {
	return gateway.CardAuth{BankTransactionNo: gateway.Text(a.BankTransactionNo), GatewayReference: gateway.Text(a.GatewayReference)}
}

// split splits a cardholder's name: the last word is the last name.
func split(name string) (first, last string) {
	if i := strings.LastIndexByte(name, ' '); i > 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}
