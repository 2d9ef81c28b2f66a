package sandbox

import (
	"net/http"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/kit/money"
)

// look answers GET /api/payments/{reference} and changes nothing.
func (s *Sandbox) look(w http.ResponseWriter, r *http.Request) {
	p, err := s.store.payment(r.PathValue("reference"))
	switch {
	case err != nil:
		s.broken(w, r, err)
	case p == nil:
		refuse(w, http.StatusNotFound, "no payment with this reference has arrived")
	default:
		s.writeState(w, *p)
	}
}

// resolve answers POST /api/payments/{reference}/resolve. The merchant in its body is not needed here: references are
// unique among all of them.
func (s *Sandbox) resolve(w http.ResponseWriter, r *http.Request) {
	reference := r.PathValue("reference")
	if !referenceForm.MatchString(reference) {
		refuse(w, http.StatusBadRequest, "reference has other characters than letters, digits, - and _")
		return
	}
	p, err := s.store.resolve(reference, s.Now())
	if err != nil {
		s.broken(w, r, err)
		return
	}
	s.Logger.InfoContext(r.Context(), "sandbox resolve", "reference", reference, "state", p.State)
	s.writeState(w, p)
}

// payment returns nil for a reference that never arrived and was not resolved.
func (st *store) payment(reference string) (p *payment, err error) {
	err = st.db.View(func(tx *bbolt.Tx) error {
		p, err = get[payment](tx, paymentsBucket, reference)
		return err
	})
	return p, err
}

// resolve closes an undecided payment for good, even one that never arrived.
func (st *store) resolve(reference string, now time.Time) (p payment, err error) {
	err = st.db.Batch(func(tx *bbolt.Tx) error {
		known, err := get[payment](tx, paymentsBucket, reference)
		switch {
		case err != nil:
			return err
		case known == nil:
			p = payment{Reference: reference, State: notCharged, At: now.UTC()}
		case known.State == challenged || known.State == failed:
			p = *known
			p.State, p.At = notCharged, now.UTC()
		default:
			p = *known
			return nil
		}
		return put(tx, paymentsBucket, reference, &p)
	})
	return p, err
}

// open lists the payments that nobody has decided, whenever they came.
func (st *store) open(now time.Time) (open []line, err error) {
	err = st.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(paymentsBucket).ForEach(func(key, _ []byte) error {
			p, err := get[payment](tx, paymentsBucket, string(key))
			if err != nil || !p.open(now) {
				return err
			}
			open = append(open, line{
				Kind: openKind, Reference: p.Reference, TrxID: p.TrxID, MerchantID: p.MerchantID, TestMode: p.TestMode,
				Amount: money.Wire(p.Amount), Currency: p.Currency, Arrivals: p.Arrivals, At: p.At,
			})
			return nil
		})
	})
	return open, err
}
