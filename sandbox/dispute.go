package sandbox

import (
	"cmp"
	"net/http"
	"time"

	"go.etcd.io/bbolt"
)

// The states of a dispute. One that nobody decides is lost when it is due.
const (
	disputeOpened = "opened"
	disputeWon    = "won"
	disputeLost   = "lost"
)

// disputeFor is how long a business has to answer a dispute.
const disputeFor = 7 * 24 * time.Hour

// dispute is the stored dispute about a charge. It has the charge's reference.
type dispute struct {
	Due time.Time `json:"due"`
	// End is the key of the entry that ends it, which lies in the future until then.
	End []byte `json:"end"`
	// Lost is what did not come back when it was won after it was lost.
	Lost int64 `json:"lost,omitempty"`
}

// openDispute opens a dispute with an entry of the charge at that time. It will be lost when it is due.
func openDispute(tx *bbolt.Tx, e entry) error {
	due := e.At.Add(disputeFor)
	e.Kind, e.State, e.Due = disputeKind, disputeOpened, &due
	if _, err := appendEntry(tx, e); err != nil {
		return err
	}
	e.State, e.At, e.listing = disputeLost, due, listing{}
	end, err := appendEntry(tx, e)
	if err != nil {
		return err
	}
	return put(tx, disputesBucket, e.Reference, &dispute{Due: due, End: []byte(end)})
}

// dispute answers POST /sandbox/dispute: reference is the charge's, state opened, won or lost. A lost dispute can be won later, one that
// was won can be opened again. amount is the whole charge when it opens, and the amount before when it ends, unless it is given.
func (s *Sandbox) dispute(w http.ResponseWriter, r *http.Request) {
	var req struct {
		control
		State string
	}
	minor, ok := readControl(w, r, &req, &req.control)
	if !ok {
		return
	}
	now := s.Now()
	e := entry{Reference: req.Reference, State: req.State, Minor: minor, At: req.at(now), listing: req.listing}
	var found bool
	var err error
	switch req.State {
	case disputeOpened:
		found, err = s.store.dispute(e, now)
	case disputeWon, disputeLost:
		found, err = s.store.decideDispute(e, now)
	default:
		refuse(w, http.StatusUnprocessableEntity, "state is opened, won or lost")
		return
	}
	switch {
	case err != nil:
		s.broken(w, r, err)
	case !found:
		refuse(w, http.StatusNotFound, "there is no such charge, or its dispute cannot get this state")
	default:
		answer(w, http.StatusOK, map[string]string{"reference": req.Reference, "state": req.State})
	}
}

// dispute opens a dispute about a charge. found is false if there is none, or one that is open or lost.
func (st *store) dispute(e entry, now time.Time) (found bool, err error) {
	err = st.db.Batch(func(tx *bbolt.Tx) error {
		found = false
		p, err := get[payment](tx, paymentsBucket, e.Reference)
		if err != nil || p == nil || p.State != approved || p.At.After(now) {
			return err
		}
		held, lost, err := disputed(tx, e.Reference, now)
		if err != nil || held || lost != 0 {
			return err
		}
		found = true
		e := e
		e.TrxID, e.TransactionID, e.Currency, e.Minor = p.TrxID, p.TransactionID, p.Currency, cmp.Or(e.Minor, p.Amount)
		return openDispute(tx, e)
	})
	return found, err
}

// decideDispute ends a dispute at the time of the decision. found is false if none can be decided so.
func (st *store) decideDispute(decision entry, now time.Time) (found bool, err error) {
	err = st.db.Batch(func(tx *bbolt.Tx) error {
		found = false
		d, err := get[dispute](tx, disputesBucket, decision.Reference)
		if err != nil || d == nil {
			return err
		}
		e, err := get[entry](tx, ledgerBucket, string(d.End))
		if err != nil || e == nil {
			return err
		}
		ended := &dispute{Due: d.Due}
		switch {
		case e.At.After(now):
			for _, bucket := range [][]byte{ledgerBucket, unpaidBucket} {
				if err := tx.Bucket(bucket).Delete(d.End); err != nil {
					return err
				}
			}
		case e.State == disputeLost && decision.State == disputeWon:
			e.Returned, ended.Lost = true, max(0, e.Minor-cmp.Or(decision.Minor, e.Minor))
		default:
			return nil
		}
		found = true
		e.State, e.At, e.Minor, e.listing = decision.State, decision.At, cmp.Or(decision.Minor, e.Minor), decision.listing
		end, err := appendEntry(tx, *e)
		if err != nil {
			return err
		}
		ended.End = []byte(end)
		return put(tx, disputesBucket, decision.Reference, ended)
	})
	return found, err
}

// disputed says whether an open dispute holds the money of a charge, and what a lost one has taken of it: neither can be refunded.
func disputed(tx *bbolt.Tx, reference string, now time.Time) (held bool, lost int64, err error) {
	d, err := get[dispute](tx, disputesBucket, reference)
	if err != nil || d == nil {
		return false, 0, err
	}
	e, err := get[entry](tx, ledgerBucket, string(d.End))
	switch {
	case err != nil || e == nil:
		return false, 0, err
	case e.At.After(now):
		return true, 0, nil
	case e.State == disputeLost:
		return false, e.Minor, nil
	default:
		return false, d.Lost, nil
	}
}
