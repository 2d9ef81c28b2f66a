package sandbox

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/kit/money"
)

// pageSize is how many entries one answer of the ledger holds, unless pageByOffset says otherwise.
const pageSize = 500

// The kinds of entries in the ledger. Open payments are not entries: they are listed from the payments.
const (
	captureKind = "capture"
	refundKind  = "refund"
	openKind    = "open"
	disputeKind = "dispute"
	payoutKind  = "payout"
)

// servedKinds are the kinds that a caller may ask for.
func servedKinds() []string {
	return []string{captureKind, refundKind, openKind, disputeKind, payoutKind}
}

// entry is a movement, a dispute or a payout as it is stored. Entries of the future are not shown before their time.
type entry struct {
	Kind          string    `json:"kind"`
	Reference     string    `json:"reference"`
	TrxID         string    `json:"trxId"`
	TransactionID string    `json:"transactionid"`
	Minor         int64     `json:"minor"`
	Currency      string    `json:"currency"`
	At            time.Time `json:"at"`
	// State and Due are of a dispute. Returned: it is won after it was lost, and the money comes back.
	State    string     `json:"state,omitempty"`
	Due      *time.Time `json:"due,omitempty"`
	Returned bool       `json:"returned,omitempty"`
	// Payout is set for a payout alone.
	Payout *payout `json:"payout,omitempty"`
	listing
}

// line is an entry as the ledger lists it. Arrivals counts the requests with the reference up to now: a reference that arrived and was
// charged twice has two lines, each with 2 arrivals.
type line struct {
	Kind          string    `json:"kind"`
	Reference     string    `json:"reference"`
	TrxID         string    `json:"trxId"`
	TransactionID string    `json:"transactionid"`
	MerchantID    string    `json:"merchantId"`
	TestMode      bool      `json:"testMode"`
	Amount        string    `json:"amount"`
	Currency      string    `json:"currency"`
	Arrivals      int       `json:"arrivals"`
	At            time.Time `json:"at"`
	// Of a dispute.
	State string     `json:"state,omitempty"`
	Due   *time.Time `json:"due,omitempty"`
	// Of a payout.
	ID         string   `json:"id,omitempty"`
	Gross      string   `json:"gross,omitempty"`
	Fees       string   `json:"fees,omitempty"`
	Net        string   `json:"net,omitempty"`
	References []string `json:"references,omitempty"`
}

// page is one answer of the ledger, oldest entry first. Next is the cursor of the following page, "" on the last one. Kinds
// are all that may be asked for.
type page struct {
	Entries []line   `json:"entries"`
	Next    string   `json:"next"`
	Kinds   []string `json:"kinds"`
}

// ledger answers GET /ledger. from is included, to is not; both are RFC 3339 times or UTC days, and may be left out. kinds lists kinds of
// entries, separated by commas; the default is charges and refunds.
func (s *Sandbox) ledger(w http.ResponseWriter, r *http.Request) {
	query, now := r.URL.Query(), s.Now()
	first := query.Get("cursor") == ""
	pages, err := s.store.pages(query)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	start, end, problem := span(query, now)
	if problem != "" {
		refuse(w, http.StatusBadRequest, problem)
		return
	}
	kinds := askedKinds(query)
	if slices.Contains(kinds, payoutKind) {
		_, err = s.store.payDue(now)
	}
	var p page
	if err == nil {
		p, err = s.store.page(start, end, pages, func(e *entry) bool { return slices.Contains(kinds, e.Kind) && e.listed(now) })
	}
	if err == nil && slices.Contains(kinds, openKind) && first {
		var open []line
		open, err = s.store.open(now)
		p.Entries = append(open, p.Entries...)
	}
	if err != nil {
		s.broken(w, r, err)
		return
	}
	answer(w, http.StatusOK, p)
}

func askedKinds(query url.Values) []string {
	if len(query["kinds"]) == 0 {
		return []string{captureKind, refundKind}
	}
	return strings.Split(strings.Join(query["kinds"], ","), ",")
}

// span returns the first key and the one after the last.
func span(q url.Values, now time.Time) (start, end []byte, problem string) {
	from, okFrom := moment(q.Get("from"), time.Unix(0, 0))
	to, okTo := moment(q.Get("to"), now.Add(1))
	if !okFrom || !okTo {
		return nil, nil, "from and to are times like 2025-01-31T09:30:00Z or days like 2025-01-31"
	}
	if to.After(now) {
		to = now.Add(1)
	}
	start, end = entryKey(from, 0), entryKey(to, 0)
	if cursor := q.Get("cursor"); cursor != "" {
		after, err := hex.DecodeString(cursor)
		if err != nil || len(after) != len(start) {
			return nil, nil, "cursor is not one that this ledger gave out"
		}
		if bytes.Compare(after, start) > 0 {
			start = after
		}
	}
	return start, end, ""
}

func moment(s string, missing time.Time) (time.Time, bool) {
	if s == "" {
		return missing, true
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1970 && t.Year() < 2262 {
			return t, true
		}
	}
	return time.Time{}, false
}

func (st *store) page(start, end []byte, pages paging, wanted func(*entry) bool) (page, error) {
	p := page{Entries: []line{}, Kinds: servedKinds()}
	skip := pages.offset
	err := st.db.View(func(tx *bbolt.Tx) error {
		c := tx.Bucket(ledgerBucket).Cursor()
		for key, _ := c.Seek(start); key != nil && bytes.Compare(key, end) < 0; key, _ = c.Next() {
			e, err := get[entry](tx, ledgerBucket, string(key))
			if err != nil {
				return err
			}
			if !wanted(e) {
				continue
			}
			if skip > 0 {
				skip--
				continue
			}
			if len(p.Entries) == cmp.Or(pages.Size, pageSize) {
				p.Next = pages.next(key)
				return nil
			}
			l, err := e.line(tx)
			if err != nil {
				return err
			}
			p.Entries = append(p.Entries, l)
		}
		return nil
	})
	return p, err
}

// line adds what other buckets know about an entry.
func (e entry) line(tx *bbolt.Tx) (line, error) {
	l := line{
		Kind: e.Kind, Reference: e.Reference, TrxID: e.TrxID, TransactionID: e.TransactionID, Amount: money.Wire(e.Minor),
		Currency: e.Currency, At: e.At, State: e.State, Due: e.Due,
	}
	charge := e.Reference
	switch e.Kind {
	case payoutKind:
		e.Payout.describe(&l)
		return l, nil
	case refundKind:
		back, err := get[refund](tx, refundsBucket, e.Reference)
		if err != nil {
			return l, err
		}
		if back != nil {
			l.Arrivals = back.Arrivals
		}
		charged, err := get[capture](tx, capturesBucket, e.TransactionID)
		if err != nil || charged == nil {
			return l, err
		}
		charge = charged.Reference
	}
	p, err := get[payment](tx, paymentsBucket, charge)
	if err != nil || p == nil {
		return l, err
	}
	l.MerchantID, l.TestMode = p.MerchantID, p.TestMode
	if e.Kind != refundKind {
		l.Arrivals = p.Arrivals
	}
	return l, nil
}

// appendEntry adds an entry and returns its key. Money that moved waits for a payout from then on.
func appendEntry(tx *bbolt.Tx, e entry) (key string, err error) {
	sequence, err := tx.Bucket(ledgerBucket).NextSequence()
	if err != nil {
		return "", err
	}
	key = string(entryKey(e.At, sequence))
	if err := put(tx, ledgerBucket, key, &e); err != nil || !e.moves() {
		return key, err
	}
	return key, tx.Bucket(unpaidBucket).Put([]byte(key), []byte{})
}

// entryKey sorts by time, then by arrival.
func entryKey(at time.Time, sequence uint64) []byte {
	key := binary.BigEndian.AppendUint64(nil, uint64(max(at.UnixNano(), 0)))
	return binary.BigEndian.AppendUint64(key, sequence)
}

func entryTime(key []byte) time.Time {
	return time.Unix(0, int64(binary.BigEndian.Uint64(key))).UTC() //nolint:gosec // it was made from an int64
}
