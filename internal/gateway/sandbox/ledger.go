package sandbox

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"net/url"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/money"
)

// pageSize is how many entries one answer of the ledger holds.
const pageSize = 500

// entry is a charge or a refund as it is stored. Entries of the future are not shown before their time.
type entry struct {
	Kind          string    `json:"kind"`
	Reference     string    `json:"reference"`
	TrxID         string    `json:"trxId"`
	TransactionID string    `json:"transactionid"`
	Minor         int64     `json:"minor"`
	Currency      string    `json:"currency"`
	At            time.Time `json:"at"`
}

// line is an entry as it is listed. Arrivals counts the requests with the reference up to now: a reference that arrived
// and was charged twice has two lines, each with arrivals 2.
type line struct {
	Kind          string    `json:"kind"`
	Reference     string    `json:"reference"`
	TrxID         string    `json:"trxId"`
	TransactionID string    `json:"transactionid"`
	Amount        string    `json:"amount"`
	Currency      string    `json:"currency"`
	Arrivals      int       `json:"arrivals"`
	At            time.Time `json:"at"`
}

// page is one answer of the ledger, oldest entry first. Next is the cursor of the following page, "" on the last one.
type page struct {
	Entries []line `json:"entries"`
	Next    string `json:"next"`
}

// ledger answers GET /ledger. from is included, to is not; both are RFC 3339 times or UTC days, and may be left out. The
// hosted page's charges, which nobody's books but its own hold, are listed for kind=hosted, and only they.
func (s *Sandbox) ledger(w http.ResponseWriter, r *http.Request) {
	start, end, problem := span(r.URL.Query(), s.now())
	if problem != "" {
		refuse(w, http.StatusBadRequest, problem)
		return
	}
	p, err := s.store.page(start, end, r.URL.Query().Get("kind") == hostedKind)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	answer(w, http.StatusOK, p)
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

func (st *store) page(start, end []byte, hosted bool) (page, error) {
	p := page{Entries: []line{}}
	err := st.db.View(func(tx *bbolt.Tx) error {
		c := tx.Bucket(ledgerBucket).Cursor()
		for key, _ := c.Seek(start); key != nil && bytes.Compare(key, end) < 0; key, _ = c.Next() {
			if len(p.Entries) == pageSize {
				p.Next = hex.EncodeToString(key)
				return nil
			}
			l, err := readLine(tx, string(key))
			if err != nil {
				return err
			}
			if (l.Kind == hostedKind) == hosted {
				p.Entries = append(p.Entries, l)
			}
		}
		return nil
	})
	return p, err
}

func readLine(tx *bbolt.Tx, key string) (line, error) {
	e, err := get[entry](tx, ledgerBucket, key)
	if err != nil {
		return line{}, err
	}
	l := line{e.Kind, e.Reference, e.TrxID, e.TransactionID, money.Wire(e.Minor), e.Currency, 0, e.At}
	if e.Kind == hostedKind {
		l.Arrivals = 1 // it is decided once
		return l, nil
	}
	if e.Kind == "refund" {
		back, err := get[refund](tx, refundsBucket, e.Reference)
		if err != nil || back == nil {
			return l, err
		}
		l.Arrivals = back.Arrivals
		return l, nil
	}
	p, err := get[payment](tx, paymentsBucket, e.Reference)
	if err != nil || p == nil {
		return l, err
	}
	l.Arrivals = p.Arrivals
	return l, nil
}

func appendEntry(tx *bbolt.Tx, e entry) error {
	sequence, err := tx.Bucket(ledgerBucket).NextSequence()
	if err != nil {
		return err
	}
	return put(tx, ledgerBucket, string(entryKey(e.At, sequence)), &e)
}

// entryKey sorts by time, then by arrival.
func entryKey(at time.Time, sequence uint64) []byte {
	key := binary.BigEndian.AppendUint64(nil, uint64(max(at.UnixNano(), 0)))
	return binary.BigEndian.AppendUint64(key, sequence)
}
