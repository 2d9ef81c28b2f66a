package sandbox

import (
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
)

// listing is from when on the ledger lists an entry; at once where it says nothing.
type listing struct {
	Shown     time.Time `json:"shown,omitzero"`
	Withdrawn bool      `json:"withdrawn,omitempty"`
}

func (l listing) listed(now time.Time) bool { return !l.Withdrawn && !l.Shown.After(now) }

// control is what the calls for tests and rehearsals have in common.
type control struct {
	Reference string
	Amount    gateway.Text
	At        time.Time
	listing
}

func (c control) at(now time.Time) time.Time {
	if c.At.IsZero() {
		return now.UTC()
	}
	return c.At.UTC()
}

// readControl reads a request that contains c. minor is 0 if there is no amount.
func readControl(w http.ResponseWriter, r *http.Request, into any, c *control) (minor int64, ok bool) {
	if !read(w, r, maxBody, into) {
		return 0, false
	}
	var err error
	if c.Amount != "" {
		minor, err = money.Parse(string(c.Amount))
	}
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "amount is not an amount")
	}
	return minor, err == nil
}

// refundInConsole answers POST /sandbox/refund: a refund of a charge that nobody asked for with POST /api/refund. Each call is another one.
func (s *Sandbox) refundInConsole(w http.ResponseWriter, r *http.Request) {
	var req struct {
		control
		TransactionID string
	}
	minor, ok := readControl(w, r, &req, &req.control)
	if !ok {
		return
	}
	problem := ""
	err := s.store.db.Batch(func(tx *bbolt.Tx) error {
		problem = ""
		charged, err := get[capture](tx, capturesBucket, req.TransactionID)
		switch {
		case err != nil:
			return err
		case charged == nil:
			problem = "no such charge"
			return nil
		case minor == 0 || req.Reference == "":
			problem = "reference and amount are needed"
			return nil
		case minor > charged.Amount-charged.Refunded:
			problem = moreThanCaptured
			return nil
		}
		return moveBack(tx, charged, entry{
			Reference: req.Reference, TransactionID: req.TransactionID, Minor: minor, At: req.at(s.Now()), listing: req.listing,
		})
	})
	switch {
	case err != nil:
		s.broken(w, r, err)
	case problem != "":
		refuse(w, http.StatusUnprocessableEntity, problem)
	default:
		answer(w, http.StatusOK, map[string]string{"reference": req.Reference})
	}
}

// relist answers POST /sandbox/entry: the entries of a kind and a reference (a payout's id), and of a dispute's state if there is one, get
// another time or amount, are listed only from a moment on, or are withdrawn.
func (s *Sandbox) relist(w http.ResponseWriter, r *http.Request) {
	var req struct {
		control
		Kind, State string
	}
	minor, ok := readControl(w, r, &req, &req.control)
	if !ok {
		return
	}
	changed := 0
	err := s.store.db.Batch(func(tx *bbolt.Tx) error {
		found := map[string]*entry{}
		err := tx.Bucket(ledgerBucket).ForEach(func(key, _ []byte) error {
			e, err := get[entry](tx, ledgerBucket, string(key))
			if err == nil && e.Kind == req.Kind && e.name() == req.Reference && (req.State == "" || e.State == req.State) {
				found[string(key)] = e
			}
			return err
		})
		changed = len(found)
		for key, e := range found {
			e.listing = req.listing
			if minor != 0 {
				e.Minor = minor
			}
			if !req.At.IsZero() {
				e.At = req.At.UTC()
			}
			if err == nil {
				err = replace(tx, []byte(key), e)
			}
		}
		return err
	})
	switch {
	case err != nil:
		s.broken(w, r, err)
	case changed == 0:
		refuse(w, http.StatusNotFound, "the ledger has no such entry")
	default:
		answer(w, http.StatusOK, map[string]int{"changed": changed})
	}
}

func (e entry) name() string {
	if e.Payout != nil {
		return e.Payout.ID
	}
	return e.Reference
}

// replace stores a changed entry, perhaps at another time. One that was withdrawn is in no payout.
func replace(tx *bbolt.Tx, old []byte, e *entry) error {
	key := entryKey(e.At, binary.BigEndian.Uint64(old[8:]))
	ledger, unpaid := tx.Bucket(ledgerBucket), tx.Bucket(unpaidBucket)
	owed := unpaid.Get(old) != nil
	if err := ledger.Delete(old); err != nil {
		return err
	}
	if err := unpaid.Delete(old); err != nil {
		return err
	}
	if owed && !e.Withdrawn {
		if err := unpaid.Put(key, []byte{}); err != nil {
			return err
		}
	}
	if d, err := get[dispute](tx, disputesBucket, e.Reference); err != nil {
		return err
	} else if d != nil && string(d.End) == string(old) {
		d.End = key
		if err := put(tx, disputesBucket, e.Reference, d); err != nil {
			return err
		}
	}
	return put(tx, ledgerBucket, string(key), e)
}

// paging is how the ledger is paged when it counts entries, as many gateways do: of one that grows, a page may repeat entries of the one
// before. Repeat is how many always do.
type paging struct {
	Size   int `json:"size"`
	Repeat int `json:"repeat"`
	offset int
}

// pageByOffset answers POST /sandbox/pages. A size of 0 ends it.
func (s *Sandbox) pageByOffset(w http.ResponseWriter, r *http.Request) {
	var p paging
	if !read(w, r, maxBody, &p) {
		return
	}
	if p.Size < 0 || p.Repeat < 0 || p.Repeat >= max(p.Size, 1) {
		refuse(w, http.StatusUnprocessableEntity, "repeat is less than size")
		return
	}
	if err := s.store.db.Batch(func(tx *bbolt.Tx) error { return put(tx, settingsBucket, "pages", p) }); err != nil {
		s.broken(w, r, err)
		return
	}
	answer(w, http.StatusOK, p)
}

// pages returns how the ledger is paged. The cursor of a page by offset is taken out of the query.
func (st *store) pages(query url.Values) (p paging, err error) {
	err = st.db.View(func(tx *bbolt.Tx) error {
		known, err := get[paging](tx, settingsBucket, "pages")
		if known != nil && known.Size > 0 {
			p = *known
			p.offset, _ = strconv.Atoi(query.Get("cursor"))
			query.Del("cursor")
		}
		return err
	})
	return p, err
}

func (p paging) next(key []byte) string {
	if p.Size == 0 {
		return hex.EncodeToString(key)
	}
	return strconv.Itoa(p.offset + p.Size - p.Repeat)
}
