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

// Bounds of one reading of a ledger.
const (
	maxPages   = 100_000
	maxEntries = 20_000_000
)

// Ledger reads the entries of a kind from (included) to (excluded); with no kind, captures and refunds. It hands over one page after the
// other, so that nobody has to hold them all; a page may repeat entries. If Ledger returns nil, there are no others. It may return
// ErrNotServed.
func (c *Client) Ledger(ctx context.Context, from, to time.Time, kind Kind, take func([]Entry) error) error {
	query := url.Values{"from": {from.UTC().Format(time.RFC3339Nano)}, "to": {to.UTC().Format(time.RFC3339Nano)}}
	if kind != "" {
		query.Set("kinds", string(kind))
	}
	read, seen := 0, map[string]bool{"": true} // a cursor that comes again would go on for ever
	for {
		page, err := c.ledgerPage(ctx, query)
		if err != nil {
			return err
		}
		if kind != "" && !slices.Contains(page.Kinds, kind) {
			return ErrNotServed
		}
		var entries []Entry
		for _, e := range page.Entries.all {
			if e.broken && e.Kind == "" {
				e.Kind = cmp.Or(kind, KindCapture)
			}
			if e.Kind == kind || kind == "" && (e.Kind == KindCapture || e.Kind == KindRefund) {
				entries = append(entries, e.entry(c.id))
			}
		}
		if err := take(entries); err != nil {
			return err
		}
		read += len(page.Entries.all)
		switch {
		case page.Next == "":
			return nil
		case seen[page.Next]:
			return errors.New("the gateway's ledger repeats a page")
		case len(seen) > maxPages, read > maxEntries:
			return errors.New("the gateway's ledger does not end")
		}
		seen[page.Next] = true
		query.Set("cursor", page.Next)
	}
}

// Open reads the payments that the gateway has accepted and not decided, regardless of their age. It may return ErrNotServed.
func (c *Client) Open(ctx context.Context) (all []Entry, err error) {
	err = c.Ledger(ctx, time.Unix(0, 0), time.Now().Add(24*time.Hour), KindOpen, func(page []Entry) error {
		all = append(all, page...)
		return nil
	})
	return all, err
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
