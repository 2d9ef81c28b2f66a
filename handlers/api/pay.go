package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
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
	key, err := paymentKey(r)
	if err != nil {
		return err
	}
	if err := named(body.MerchantID, "merchantId", body.TrxID, "trxId"); err != nil {
		return err
	}
	input := payment.CardInput{
		Name: body.Cardholder, Number: body.PAN, Expiry: body.Exp, CVC: body.CVC, Email: body.Email,
	}
	checked, problems := input.Check(time.Now())
	if len(problems) > 0 {
		// The key alone identifies the payment: a repeated call gets the same answer, whatever card it has.
		before, found, err := h.payments.Before(r.Context(), body.MerchantID, body.TrxID, key)
		if err != nil {
			return err
		}
		if !found {
			return refuseCard(w, problems)
		}
		return writeAttempt(w, before, cardResponseOf)
	}
	checked.From = h.proxies.Client(r)
	attempt, err := h.pay(r.Context(), body.MerchantID, body.TrxID, body.TryAgain, func() (db.Attempt, error) {
		return h.payments.PayCard(r.Context(), body.MerchantID, body.TrxID, key, checked)
	})
	if err != nil {
		return refusePayment(w, err)
	}
	h.payers.Paying(w, body.MerchantID, body.TrxID, attempt.ID)
	if attempt.State != state.AttemptApproved {
		h.payers.Keep(w, body.MerchantID, body.TrxID, session.Payer{Name: body.Cardholder, Email: body.Email})
	}
	return writeAttempt(w, attempt, cardResponseOf)
}

// named refuses a payment that does not name its transaction. pairs are values, each with the name of its field.
func named(pairs ...string) error {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == "" {
			return web.Missing(pairs[i+1])
		}
	}
	return nil
}

// pay pays a transaction. If the last payment failed and the payer wants to try again, it first opens the transaction again.
func (h *Handler) pay(ctx context.Context, shop, id string, again bool, once func() (db.Attempt, error)) (db.Attempt, error) {
	attempt, err := once()
	if !again || !errors.Is(err, payment.ErrDeclined) {
		return attempt, err
	}
	if _, err := h.payments.Free(ctx, shop, id); err != nil {
		return attempt, err
	}
	return once()
}

// writeAttempt answers with the state of an attempt in the shape of this call. With the same key, a call of the other kind may have made
// the attempt.
func writeAttempt[T any](w http.ResponseWriter, attempt db.Attempt, shape func(db.Attempt) T) error {
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
		text = view.TooMany(view.Wait{After: limit.After, Checking: limit.Checking, Card: limit.Card})
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

type authResponse struct {
	BankTransactionNo string `json:"banktransactionno"`
	GatewayReference  string `json:"gatewayreference"`
}

type cardResponse struct {
	Status struct {
		ResponseType string `json:"responsetype"`
		StatusCode   string `json:"statuscode"`
		ErrorDesc    string `json:"errordesc"`
	} `json:"status"`
	TransactionID string `json:"transactionid"`
	Code          string `json:"code"`
	Redirect      string `json:"redirect"`
	DateUTC       string `json:"transactiondate_utc"`
	Billing       struct {
		AuthResponse authResponse `json:"authresponse"`
		Card         struct {
			PAN string `json:"pan"` // the last four digits
		} `json:"card"`
	} `json:"billing"`
	Consumer struct {
		FirstName string `json:"firstname"`
		LastName  string `json:"lastname"`
		Email     string `json:"email"`
	} `json:"consumer"`
}

// cardResponseOf is the specification's card response made from what is stored, so that asking again gets the same answer.
func cardResponseOf(a db.Attempt) cardResponse {
	var res cardResponse
	res.Status.ResponseType, res.Status.StatusCode, res.Status.ErrorDesc = "1", "0", a.ErrorMsg
	if a.State != state.AttemptApproved {
		res.Status.ResponseType, res.Status.StatusCode = "0", "1"
	}
	if a.Transactionid != nil {
		res.TransactionID = *a.Transactionid
	}
	res.Code = a.Code
	res.DateUTC = a.CreatedAt.UTC().Format(time.RFC3339)
	if a.SettledAt != nil {
		res.DateUTC = a.SettledAt.UTC().Format(time.RFC3339)
	}
	res.Billing.AuthResponse = authResponse{a.BankTransactionNo, a.GatewayReference}
	res.Billing.Card.PAN = a.CardLastFour
	res.Consumer.FirstName, res.Consumer.LastName = split(a.PayerName)
	res.Consumer.Email = a.PayerEmail
	return res
}
