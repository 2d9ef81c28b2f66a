package sandbox

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/kit/money"
)

// payout is what one merchant gets at one moment in one currency and mode: charges less refunds and lost disputes, less the
// fees. It may be below zero.
type payout struct {
	ID         string   `json:"id"`
	MerchantID string   `json:"merchantId"`
	TestMode   bool     `json:"testMode"`
	Gross      int64    `json:"gross"`
	Fees       int64    `json:"fees"`
	References []string `json:"references"`
}

// moves reports whether an entry is money that a payout must hold.
func (e entry) moves() bool {
	return e.Kind == captureKind || e.Kind == refundKind || e.Kind == disputeKind && (e.State == disputeLost || e.Returned)
}

// fee is 1.5 % of a charge, rounded half up to the cent. A refund does not return it.
func fee(minor int64) int64 { return (minor*15 + 500) / 1000 }

func (p *payout) add(e entry) {
	p.References = append(p.References, e.Reference)
	switch {
	case e.Kind == captureKind:
		p.Gross += e.Minor
		p.Fees += fee(e.Minor)
	case e.Returned:
		p.Gross += e.Minor
	default:
		p.Gross -= e.Minor
	}
}

func (p *payout) describe(l *line) {
	l.ID, l.MerchantID, l.TestMode, l.References = p.ID, p.MerchantID, p.TestMode, p.References
	l.Gross, l.Fees, l.Net = money.Wire(p.Gross), money.Wire(p.Fees), money.Wire(p.Gross-p.Fees)
}

// payOut answers POST /sandbox/payout: whatever moved until now is paid out, at another time if the request names one. With an id, all
// these payouts have it, as earlier ones may.
func (s *Sandbox) payOut(w http.ResponseWriter, r *http.Request) {
	now := s.Now()
	at, ok := moment(r.URL.Query().Get("at"), now)
	if !ok {
		refuse(w, http.StatusUnprocessableEntity, "at is no time")
		return
	}
	made, err := s.store.payDue(now)
	if err == nil {
		var last []line
		last, err = s.store.payUntil(now, at, r.URL.Query().Get("id"))
		made = append(made, last...)
	}
	if err != nil {
		s.broken(w, r, err)
		return
	}
	answer(w, http.StatusOK, page{Entries: append([]line{}, made...), Kinds: servedKinds()})
}

// payDue makes the payouts for every 00:00 UTC that has passed since unpaid money moved.
func (st *store) payDue(now time.Time) (made []line, err error) {
	for {
		var first []byte
		err := st.db.View(func(tx *bbolt.Tx) error {
			key, _ := tx.Bucket(unpaidBucket).Cursor().First()
			first = bytes.Clone(key)
			return nil
		})
		if err != nil || first == nil {
			return made, err
		}
		midnight := entryTime(first).Truncate(24 * time.Hour).Add(24 * time.Hour)
		if midnight.After(now) {
			return made, nil
		}
		some, err := st.payUntil(midnight, midnight, "")
		if err != nil {
			return made, err
		}
		made = append(made, some...)
	}
}

// payUntil pays out what moved before a moment. The payouts have ids of their own if id is "".
func (st *store) payUntil(moment, at time.Time, id string) (made []line, err error) {
	err = st.db.Update(func(tx *bbolt.Tx) error {
		type book struct {
			merchant, currency string
			test               bool
		}
		books, paid := map[book]*payout{}, [][]byte{}
		c := tx.Bucket(unpaidBucket).Cursor()
		for key, _ := c.First(); key != nil && bytes.Compare(key, entryKey(moment, 0)) < 0; key, _ = c.Next() {
			e, err := get[entry](tx, ledgerBucket, string(key))
			if err != nil {
				return err
			}
			l, err := e.line(tx)
			if err != nil {
				return err
			}
			b := book{l.MerchantID, l.Currency, l.TestMode}
			if books[b] == nil {
				books[b] = &payout{ID: cmp.Or(id, "pay-"+strings.ToLower(rand.Text())), MerchantID: b.merchant, TestMode: b.test}
			}
			books[b].add(*e)
			paid = append(paid, bytes.Clone(key))
		}
		for b, p := range books {
			e := entry{Kind: payoutKind, Minor: p.Gross - p.Fees, Currency: b.currency, At: at.UTC(), Payout: p}
			if _, err := appendEntry(tx, e); err != nil {
				return err
			}
			l, err := e.line(tx)
			if err != nil {
				return err
			}
			made = append(made, l)
		}
		for _, key := range paid {
			if err := tx.Bucket(unpaidBucket).Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
	slices.SortFunc(made, func(a, b line) int { return cmp.Or(cmp.Compare(a.MerchantID, b.MerchantID), cmp.Compare(a.ID, b.ID)) })
	return made, err
}
