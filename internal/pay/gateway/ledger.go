package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// Kind is the kind of an entry in the gateway's ledger.
type Kind string

// Every gateway lists captures and refunds. The other kinds have to be requested by name, and the gateway says which of them it knows.
const (
	KindCapture Kind = "capture"
	KindRefund  Kind = "refund"
	KindOpen    Kind = "open" // accepted, without a final answer yet
	KindDispute Kind = "dispute"
	KindPayout  Kind = "payout"
)

// ErrNotServed means that the gateway does not list this kind of entries, so nothing is known about them.
var ErrNotServed = errors.New("the gateway's ledger does not list this kind")

// Entry is a movement of money in the gateway's ledger, or a payment that may become one. MerchantID is "" and TestMode nil if the
// gateway does not give them.
type Entry struct {
	Gateway       string // Client.ID of the gateway
	Kind          Kind
	Reference     string // in lower case
	TrxID         string
	TransactionID string
	MerchantID    string
	TestMode      *bool
	Amount        int64  // minor units
	Currency      string // in upper case
	Arrivals      int    // how often the reference arrived
	At            time.Time
	Odd           string // what is wrong with the entry itself, or ""; the amount is 0 if it is not readable
}

// Ledger reads every capture and refund from (included) to (excluded), oldest first.
func (c *Client) Ledger(ctx context.Context, from, to time.Time) ([]Entry, error) {
	return readLedger(ctx, c, from, to, "", c.movement)
}

// LedgerPages is like Ledger, and hands over one page of the answer after the other, so that nobody has to hold them all.
func (c *Client) LedgerPages(ctx context.Context, from, to time.Time, take func([]Entry) error) error {
	return ledgerPages(ctx, c, from, to, "", c.movement, take)
}

// Open reads the payments that the gateway has accepted and not decided, regardless of their age. It may return ErrNotServed.
func (c *Client) Open(ctx context.Context) ([]Entry, error) {
	return readLedger(ctx, c, time.Unix(0, 0), time.Now().Add(24*time.Hour), KindOpen, c.movement)
}

func (c *Client) movement(w entryWire) Entry {
	e := w.movement()
	e.Gateway = c.id
	return e
}

// readLedger reads the entries of a kind; with no kind, captures and refunds.
func readLedger[T any](ctx context.Context, c *Client, from, to time.Time, kind Kind, read func(entryWire) T) (all []T, err error) {
	err = ledgerPages(ctx, c, from, to, kind, read, func(page []T) error {
		all = append(all, page...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// ledgerPages reads the entries of a kind page by page.
func ledgerPages[T any](ctx context.Context, c *Client, from, to time.Time, kind Kind, read func(entryWire) T, take func([]T) error) error {
	query := url.Values{"from": {from.UTC().Format(time.RFC3339Nano)}, "to": {to.UTC().Format(time.RFC3339Nano)}}
	if kind != "" {
		query.Set("kinds", string(kind))
	}
	for {
		page, err := c.ledgerPage(ctx, query)
		if err != nil {
			return err
		}
		if kind != "" && !slices.Contains(page.Kinds, kind) {
			return ErrNotServed
		}
		var entries []T
		for _, e := range page.Entries.all {
			if e.broken && e.Kind == "" {
				e.Kind = cmp.Or(kind, KindCapture)
			}
			if e.Kind != kind && (kind != "" || e.Kind != KindCapture && e.Kind != KindRefund) {
				continue
			}
			entries = append(entries, read(e))
		}
		if err := take(entries); err != nil {
			return err
		}
		if page.Next == "" {
			return nil
		}
		if page.Next == query.Get("cursor") {
			return errors.New("the gateway's ledger repeats a page")
		}
		query.Set("cursor", page.Next)
	}
}

// ledgerWire is a page of the ledger.
type ledgerWire struct {
	Entries entryList `json:"entries"`
	Next    string    `json:"next"`
	Kinds   []Kind    `json:"kinds"`
}

// entryList distinguishes an empty list from an answer without a list, which says nothing about movements.
type entryList struct {
	all   []entryWire
	there bool
}

// UnmarshalJSON implements json.Unmarshaler. It takes null for an empty list, as some servers write it.
func (l *entryList) UnmarshalJSON(raw []byte) error {
	l.there = true
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return err
	}
	for _, entry := range entries {
		l.all = append(l.all, readEntry(entry))
	}
	return nil
}

func (c *Client) ledgerPage(ctx context.Context, query url.Values) (ledgerWire, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var page ledgerWire
	req, err := c.request(ctx, http.MethodGet, "/ledger?"+query.Encode(), nil)
	if err != nil {
		return page, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return page, fmt.Errorf("the gateway's ledger: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return page, fmt.Errorf("the gateway's ledger answered HTTP %d", res.StatusCode)
	}
	// A page of hundreds of entries is larger than any single answer.
	err = json.NewDecoder(http.MaxBytesReader(nil, res.Body, 16<<20)).Decode(&page)
	if err != nil || !page.Entries.there {
		return page, errors.New("the gateway's ledger is not readable")
	}
	return page, nil
}
