package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/paylink"
)

type batchInfo struct {
	ID      string     `json:"id"`
	Created time.Time  `json:"created"`
	Count   int        `json:"count"`
	Rows    []batchRow `json:"rows"`
}

type batchRow struct {
	Row       int32             `json:"row"` // from 1
	TrxID     string            `json:"trxId"`
	URL       string            `json:"url"`
	Status    state.Transaction `json:"status"`
	Amount    amount            `json:"amount"`
	Currency  string            `json:"currency"`
	Reference string            `json:"reference"`
	Expires   *time.Time        `json:"expires"`
	PaidAt    *time.Time        `json:"paidAt"`
}

// CreateBatch answers POST /api/batch: 201 with a pay link for each row, 200 for a repeated Idempotency-Key, or 422 with the problems of
// each bad row. After a 422 nothing was made.
func (h *Handler) CreateBatch(w http.ResponseWriter, r *http.Request) error {
	shop, err := h.holder(w, r)
	if err != nil || shop == "" {
		return err
	}
	key, err := idempotencyKey(r)
	if err != nil {
		return err
	}
	leave, err := h.Uploads.Admit(w, r, shop)
	if err != nil {
		return err
	}
	defer leave()
	rows, err := readRows(r)
	if err != nil {
		return refuseBatch(w, err)
	}
	made, again, err := h.Batches.Create(r.Context(), shop, key, rows)
	if err != nil {
		return refuseBatch(w, err)
	}
	status := http.StatusCreated
	if again {
		status = http.StatusOK
	}
	return web.WriteJSON(w, status, h.batchInfo(shop, made))
}

// ShowBatch answers GET /api/batch/{id} with the state of each row. Another shop's batch is not found.
func (h *Handler) ShowBatch(w http.ResponseWriter, r *http.Request) error {
	shop, err := h.holder(w, r)
	if err != nil || shop == "" {
		return err
	}
	found, err := h.Batches.Batch(r.Context(), shop, chi.URLParam(r, "id"))
	if err != nil {
		return web.Unknown(err, "id", "a batch of this business")
	}
	return web.WriteJSON(w, http.StatusOK, h.batchInfo(shop, found))
}

// holder returns the shop of the request's bearer token, or "" after it has answered that the token is not valid.
func (h *Handler) holder(w http.ResponseWriter, r *http.Request) (string, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", unauthorized(w, "Bearer", "Send your token as Authorization: Bearer TOKEN.")
	}
	shop, err := h.Invites.Holder(r.Context(), secret.New(strings.TrimSpace(token)), h.Proxies.Client(r))
	if errors.Is(err, invite.ErrToken) || errors.As(err, new(*throttle.Error)) {
		h.Sessions.NoteToken(r, token, err)
	}
	switch {
	case errors.Is(err, invite.ErrToken):
		return "", unauthorized(w, `Bearer error="invalid_token"`, "This token does not exist or was revoked.")
	case errors.As(err, new(*throttle.Error)):
		return "", &web.APIError{
			Err: err, Text: "Too many wrong tokens came from your address. Please try again later.",
		}
	}
	return shop, err
}

func unauthorized(w http.ResponseWriter, challenge, text string) error {
	w.Header().Set("WWW-Authenticate", challenge)
	return web.WriteJSON(w, http.StatusUnauthorized, web.Refusal{Error: text, Field: "Authorization"})
}

// readRows reads the rows of a batch as JSON or CSV.
func readRows(r *http.Request) ([]paylink.Row, error) {
	var read func([]byte) ([]paylink.Row, error)
	switch media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media {
	case "application/json":
		read = paylink.ReadJSON
	case "text/csv":
		read = paylink.ReadCSV
	default:
		return nil, &web.APIError{
			Err: fault.New(fault.Media, "content type %q", media), Text: "Content-Type must be application/json or text/csv.",
		}
	}
	body, err := io.ReadAll(r.Body)
	switch large := new(http.MaxBytesError); {
	case errors.As(err, &large):
		return nil, &web.APIError{Err: fault.New(fault.TooLarge, "batch over %d bytes", large.Limit), Text: "A batch has at most 8 MiB."}
	case err != nil:
		return nil, fault.New(fault.Invalid, "the body ended early")
	}
	return read(body)
}

// refuseBatch answers why a batch was not made.
func refuseBatch(w http.ResponseWriter, err error) error {
	var problems paylink.Problems
	var text string
	field := "transactions"
	switch {
	case errors.As(err, &problems):
		return web.WriteJSON(w, http.StatusUnprocessableEntity, map[string]any{"error": problems.Refused(), "rows": problems})
	case errors.Is(err, paylink.ErrKeyUsed):
		text, field = "This Idempotency-Key was already used for another batch.", "Idempotency-Key"
	case errors.Is(err, paylink.ErrEmpty):
		text = "The batch has no rows. transactions has to be a list of at least one row."
	case errors.Is(err, paylink.ErrTooMany):
		text = fmt.Sprintf("A batch can have at most %d rows. Split it into several.", paylink.Max)
	case errors.Is(err, paylink.ErrTestLinks):
		text, field = err.Error(), ""
	case errors.Is(err, paylink.ErrList):
		text = "transactions has to be a list of objects."
	case printable.IsUnread(err):
		text, field = err.Error(), ""
	case errors.Is(err, paylink.ErrHeading):
		text, field = "The first line has to name the columns: amount and, optionally, currency, reference, description, expires, each once.", ""
	case errors.Is(err, paylink.ErrJSON):
		text, field = "The body has to be JSON: an object with transactions, or a list of them.", ""
	default:
		return err
	}
	return &web.APIError{Err: err, Text: text, Field: field}
}

func (h *Handler) batchInfo(shop string, b paylink.Batch) batchInfo {
	info := batchInfo{ID: b.ID, Created: b.Rows[0].BatchCreatedAt.UTC(), Count: len(b.Rows), Rows: make([]batchRow, len(b.Rows))}
	for i, row := range b.Rows {
		info.Rows[i] = batchRow{
			Row: row.RowNo, TrxID: row.ID, URL: h.Public.JoinPath("pos", shop, row.ID).String(),
			Status: row.Status, Amount: amount(row.Position.Amount()), Currency: row.Currency, Reference: row.ClientRef,
			Expires: utc(row.ExpiresAt), PaidAt: utc(row.PaidAt),
		}
	}
	return info
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	moment := t.UTC()
	return &moment
}
