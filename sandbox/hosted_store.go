package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/kit/money"
	"forecourt/internal/run/outbound"
)

// A payment of the hosted page is begun, then perhaps challenged, then approved, declined, failed or cancelled, and stays so.
const (
	begun     state = "begun"
	cancelled state = "cancelled"
)

// hosted is a payment of the hosted page. The ledger does not have it, since nobody's books do. Of the card it holds only the last four
// digits.
type hosted struct {
	ID         string      `json:"id"`
	State      state       `json:"state"`
	Merchant   string      `json:"merchant"`
	Amount     int64       `json:"amount"`
	Currency   string      `json:"currency"`
	Reference  string      `json:"reference"`
	Summary    string      `json:"summary"`
	Sent       [][2]string `json:"sent"` // what the shop sent; of a decided payment only transactionkey
	ProcessURL string      `json:"processurl"`
	CancelURL  string      `json:"cancelurl"`
	NotifyURL  string      `json:"notifyurl,omitempty"`
	// Notified is how the notification went: delivered, forbidden or failed.
	Notified      string    `json:"notified,omitempty"`
	Embedded      bool      `json:"embedded,omitempty"`
	LastFour      string    `json:"lastFour,omitempty"`
	TransactionID string    `json:"transactionid,omitempty"`
	Description   string    `json:"description,omitempty"`
	At            time.Time `json:"at"`
}

func (h hosted) decided() bool { return h.State != begun && h.State != challenged }

// result returns what the shop is told about a decided payment.
func (h hosted) result() [][2]string {
	fields := [][2]string{{"result", string(h.State)}, {"responsetext", h.Description}}
	if h.TransactionID != "" {
		fields = append(fields, [2]string{"transactionid", h.TransactionID})
	}
	if h.LastFour != "" {
		fields = append(fields, [2]string{"card", "************" + h.LastFour})
	}
	if h.Embedded {
		return append(fields, [2]string{"reference", h.Reference}, [2]string{"amount", amountOf(h)}, [2]string{"currency", h.Currency})
	}
	return append(fields, [2]string{"merchant_ref_number", h.Reference}, [2]string{"amount", amountOf(h)}, [2]string{
		"currencydesc", h.Currency,
	})
}

// sent returns a field as the shop sent it.
func (h hosted) sent(name string) string {
	for _, field := range h.Sent {
		if field[0] == name {
			return field[1]
		}
	}
	return ""
}

func amountOf(h hosted) string { return money.Wire(h.Amount) }

// back is where the customer returns to: processurl or cancelurl, with the signed result in the query. That address was in the customer's
// browser, so what it says of a result is left out.
func (s *Sandbox) back(ctx context.Context, h hosted) (string, error) {
	address := h.ProcessURL
	if h.State == cancelled || !h.decided() {
		address = h.CancelURL
	}
	u, err := url.Parse(address)
	if err != nil || !h.decided() {
		return address, nil //nolint:nilerr // checked when the payment began
	}
	q := u.Query()
	maps.DeleteFunc(q, func(name string, _ []string) bool { return ofResult(name) })
	for _, field := range h.result() {
		q.Set(field[0], field[1])
	}
	if h.Notified != "" {
		q.Set("notification", h.Notified)
	}
	u.RawQuery, err = s.signed(ctx, h, q)
	return u.String(), err
}

// NotifyTimeout is how long a notify call may take.
const NotifyTimeout = 5 * time.Second

// notify makes the notify call, the webhook of the hosted page: it tells the shop's server the result, and returns how that went. It is
// called once for a payment; a call that failed is not repeated.
func (s *Sandbox) notify(ctx context.Context, h hosted) string {
	if s.Outbound == nil {
		return "forbidden"
	}
	form := url.Values{}
	for _, field := range append(h.Sent, h.result()...) {
		form.Set(field[0], field[1])
	}
	// The customer may leave; the shop is still notified.
	ctx = context.WithoutCancel(ctx)
	body, err := s.signed(ctx, h, form)
	if err != nil {
		s.Logger.ErrorContext(ctx, "sandbox notification", "payment", h.ID, "error", err)
		return "failed"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.NotifyURL, strings.NewReader(body))
	if err != nil {
		return "failed"
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := s.Outbound.Do(req) //nolint:gosec // the outbound client calls public addresses alone
	if err != nil {
		s.Logger.InfoContext(ctx, "sandbox notification", "payment", h.ID, "error", err)
		if errors.Is(err, outbound.ErrForbidden) {
			return "forbidden"
		}
		return "failed"
	}
	_ = res.Body.Close()
	if res.StatusCode/100 != 2 {
		return "failed"
	}
	return "delivered"
}

// hosted returns nil for a payment that never began.
func (st *store) hosted(id string) (h *hosted, err error) {
	err = st.db.View(func(tx *bbolt.Tx) error {
		h, err = get[hosted](tx, hostedBucket, id)
		return err
	})
	return h, err
}

func (st *store) begin(h hosted) error {
	h.State = begun
	return st.db.Batch(func(tx *bbolt.Tx) error { return addHosted(tx, h) })
}

// putHosted stores a payment. Of the fields of a decided one, only the key is needed again.
func putHosted(tx *bbolt.Tx, h hosted) error {
	if h.decided() {
		h.Sent = [][2]string{{"transactionkey", h.sent("transactionkey")}}
	}
	return put(tx, hostedBucket, h.ID, &h)
}

// proceed applies a verdict to a payment that is in one of the states named, and returns it as it is afterwards. changed is
// false for any other. A payment that the store does not know yet begins with this.
func (st *store) proceed(h hosted, v verdict, lastFour string, now time.Time, from ...state) (after hosted, changed bool, err error) {
	err = st.db.Batch(func(tx *bbolt.Tx) error {
		known, err := get[hosted](tx, hostedBucket, h.ID)
		if err != nil {
			return err
		}
		after = h
		if known != nil {
			after = *known
		}
		if changed = slices.Contains(from, after.State); !changed {
			return nil
		}
		after.State, after.Description, after.At = v.state, v.description, now.UTC()
		if lastFour != "" {
			after.LastFour = lastFour
		}
		if after.State == approved {
			after.TransactionID = "sbx-" + strings.ToLower(rand.Text())
		}
		if known == nil {
			return addHosted(tx, after)
		}
		return putHosted(tx, after)
	})
	return after, changed, err
}

func (st *store) keepNotified(h hosted) error {
	return st.db.Batch(func(tx *bbolt.Tx) error {
		if old, err := get[hosted](tx, hostedBucket, h.ID); err != nil || old == nil { // it was forgotten meanwhile
			return err
		}
		return putHosted(tx, h)
	})
}
