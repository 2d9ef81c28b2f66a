package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"forecourt/internal/money"
)

// Entry is a movement of money as the gateway's ledger has it.
type Entry struct {
	Kind          string // "capture" or "refund"
	Reference     string
	TrxID         string
	TransactionID string
	Amount        int64 // minor units
	Currency      string
	Arrivals      int // how often the reference arrived
	At            time.Time
}

// Ledger reads every entry from (included) to (excluded), oldest first.
func (c *Client) Ledger(ctx context.Context, from, to time.Time) ([]Entry, error) {
	var all []Entry
	query := url.Values{"from": {from.UTC().Format(time.RFC3339Nano)}, "to": {to.UTC().Format(time.RFC3339Nano)}}
	for {
		page, next, err := c.ledgerPage(ctx, query)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if next == "" {
			return all, nil
		}
		if next == query.Get("cursor") {
			return nil, errors.New("the gateway's ledger repeats a page")
		}
		query.Set("cursor", next)
	}
}

func (c *Client) ledgerPage(ctx context.Context, query url.Values) ([]Entry, string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := c.request(ctx, http.MethodGet, "/ledger?"+query.Encode(), nil)
	if err != nil {
		return nil, "", err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, "", fmt.Errorf("the gateway's ledger: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, "", fmt.Errorf("the gateway's ledger answered HTTP %d", res.StatusCode)
	}
	var page struct {
		Entries []struct {
			Kind, Reference, TrxID, TransactionID, Amount, Currency Text
			Arrivals                                                int
			At                                                      time.Time
		} `json:"entries"`
		Next string `json:"next"`
	}
	// A page of hundreds of entries is larger than any single answer.
	if err := json.NewDecoder(http.MaxBytesReader(nil, res.Body, 16<<20)).Decode(&page); err != nil {
		return nil, "", errors.New("the gateway's ledger is not readable")
	}
	entries := make([]Entry, 0, len(page.Entries))
	for _, e := range page.Entries {
		minor, err := money.Parse(string(e.Amount))
		if err != nil {
			return nil, "", errors.New("the gateway's ledger has an entry whose amount is none")
		}
		entries = append(entries, Entry{
			Kind: string(e.Kind), Reference: string(e.Reference), TrxID: string(e.TrxID), TransactionID: string(e.TransactionID),
			Amount: minor, Currency: string(e.Currency), Arrivals: e.Arrivals, At: e.At,
		})
	}
	return entries, page.Next, nil
}
