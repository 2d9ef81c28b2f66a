package sandbox

import (
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
	Won bool   `json:"won,omitempty"`
}

// openDispute opens a dispute about a charge, which will be lost when it is due.
func openDispute(tx *bbolt.Tx, charge entry) error {
	due := charge.At.Add(disputeFor)
	e := charge
	e.Kind, e.State, e.Due = disputeKind, disputeOpened, &due
	if _, err := appendEntry(tx, e); err != nil {
		return err
	}
	e.State, e.At = disputeLost, due
	end, err := appendEntry(tx, e)
	if err != nil {
		return err
	}
	return put(tx, disputesBucket, charge.Reference, &dispute{Due: due, End: []byte(end)})
}

// decideDispute answers POST /sandbox/dispute: reference is the charge's, state won or lost.
func (s *Sandbox) decideDispute(w http.ResponseWriter, r *http.Request) {
	var req struct{ Reference, State string }
	if !read(w, r, maxBody, &req) {
		return
	}
	if req.State != disputeWon && req.State != disputeLost {
		refuse(w, http.StatusUnprocessableEntity, "state is won or lost")
		return
	}
	open, err := s.store.decideDispute(req.Reference, req.State, s.Now())
	switch {
	case err != nil:
		s.broken(w, r, err)
	case !open:
		refuse(w, http.StatusNotFound, "no dispute about this charge is open")
	default:
		answer(w, http.StatusOK, map[string]string{"reference": req.Reference, "state": req.State})
	}
}

// decideDispute moves the end of a dispute to now. open is false if no dispute can be decided.
func (st *store) decideDispute(reference, state string, now time.Time) (open bool, err error) {
	err = st.db.Batch(func(tx *bbolt.Tx) error {
		open = false
		d, err := get[dispute](tx, disputesBucket, reference)
		if err != nil || d == nil {
			return err
		}
		e, err := get[entry](tx, ledgerBucket, string(d.End))
		if err != nil || e == nil || !e.At.After(now) {
			return err
		}
		open = true
		for _, bucket := range [][]byte{ledgerBucket, unpaidBucket} {
			if err := tx.Bucket(bucket).Delete(d.End); err != nil {
				return err
			}
		}
		e.State, e.At = state, now.UTC()
		end, err := appendEntry(tx, *e)
		if err != nil {
			return err
		}
		return put(tx, disputesBucket, reference, &dispute{Due: d.Due, End: []byte(end), Won: state == disputeWon})
	})
	return open, err
}

// holdsMoney reports whether a dispute holds or has taken the money of a charge, so that it cannot be refunded as well.
func holdsMoney(tx *bbolt.Tx, reference string) (bool, error) {
	d, err := get[dispute](tx, disputesBucket, reference)
	return d != nil && !d.Won, err
}
