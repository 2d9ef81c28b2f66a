package merchant

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/pay/gateway"
)

// TestGateway serves the gateway that a merchant's test credentials open, at /gateway/{uuid}/.
type TestGateway struct {
	merchants *merchant.Merchants
	sessions  *session.Sessions
}

// NewTestGateway returns a gateway for the charges of merchants.
func NewTestGateway(merchants *merchant.Merchants, sessions *session.Sessions) *TestGateway {
	return &TestGateway{merchants, sessions}
}

// answer is the card response together with the payment that it is about.
type answer struct {
	gateway.CardResponse
	Reference string `json:"reference"`
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
}

// Pay answers POST /gateway/{uuid}/pay and records the call in the merchant's log, whatever its result.
func (h *TestGateway) Pay(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(chi.URLParam(r, "uuid"))
	if err != nil {
		return missing(merchant.ErrMissing)
	}
	body, err := io.ReadAll(r.Body)
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return fault.New(fault.TooLarge, "body over %d bytes", large.Limit)
	}
	if err != nil {
		return fault.New(fault.Invalid, "the body ended early")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	status, value, note, err := h.charge(r, id)
	if err != nil {
		return missing(err)
	}
	call := merchant.Call{}
	call.Method, call.Path, call.Status, call.Note = r.Method, r.URL.Path, int32(status), note //nolint:gosec // an HTTP status
	if err := h.merchants.Record(r.Context(), id, call, body); err != nil {
		return err
	}
	if status == http.StatusUnauthorized {
		h.sessions.Note(r, session.TokenRefused, id.String(), "")
		w.Header().Set("WWW-Authenticate", `Key realm="test gateway"`)
	}
	return web.WriteJSON(w, status, value)
}

// charge returns the answer to a call of an existing merchant, with a note for the log if it was refused.
func (h *TestGateway) charge(r *http.Request, id uuid.UUID) (status int, value any, note string, err error) {
	c, err := web.ReadJSON[merchant.Charge](r)
	if err != nil {
		status, refusal := web.Status(err), web.RefusalOf(err)
		return status, refusal, refusal.Error, h.merchants.Exists(r.Context(), id)
	}
	paid, err := h.merchants.Charge(r.Context(), id, c)
	if refusal := merchant.IsRefusal(err); refusal != nil {
		return statusOf(refusal), web.Refusal{Error: refusal.Text, Field: refusal.Field}, refusal.Text, nil
	}
	if err != nil {
		return 0, nil, "", err
	}
	return http.StatusOK, response(paid), "", nil
}

// missing answers for an address that is not a merchant's gateway.
func missing(err error) error { return web.Unknown(err, "uuid", "the id of a test gateway") }

func statusOf(r *merchant.Refusal) int {
	switch r.Code {
	case fault.Forbidden:
		return http.StatusUnauthorized // the credentials are in the body
	case fault.Conflict:
		return http.StatusConflict
	case fault.Unavailable:
		return http.StatusInternalServerError
	default:
		return http.StatusUnprocessableEntity
	}
}

func response(p merchant.Paid) answer {
	a := answer{Reference: p.Reference, Amount: money.Wire(p.AmountMinor), Currency: p.Currency}
	a.Status = gateway.CardStatus{ResponseType: "1", StatusCode: gateway.Text(p.Statuscode), ErrorDesc: gateway.Text(p.Errordesc)}
	a.TransactionID, a.Code = gateway.Text(p.Transactionid), gateway.Text(p.Code)
	a.TransactionDateUTC = gateway.Text(p.CreatedAt.UTC().Format(time.RFC3339))
	a.Billing.AuthResponse.BankTransactionNo = gateway.Text(p.BankNo)
	if p.LastFour != "" {
		a.Billing.Card.PAN = gateway.Text("************" + p.LastFour)
	}
	return a
}
