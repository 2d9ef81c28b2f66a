package sandbox

import (
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
)

// refundRequest is the body of POST /api/refund.
type refundRequest struct {
	TransactionID string       `json:"transactionid"`
	Amount        gateway.Text `json:"amount"`
	Currency      string       `json:"currency"`
	Reference     string       `json:"reference"`
	MerchantID    string       `json:"merchantId"`
	TestMode      bool         `json:"testMode"`
}

// refund is the stored refund of a reference.
type refund struct {
	RefundID string       `json:"refundid"`
	Arrivals int          `json:"arrivals"`
	Manner   refundManner `json:"manner,omitempty"`
	At       time.Time    `json:"at"` // when the money goes back
}

// refund answers POST /api/refund. A repeated reference gets the first answer, or what became of the refund, and moves no money.
func (s *Sandbox) refund(w http.ResponseWriter, r *http.Request) {
	var req refundRequest
	if !read(w, r, maxPayment, &req) {
		return
	}
	minor, err := money.Parse(string(req.Amount))
	switch {
	case err != nil || minor == 0:
		refuse(w, http.StatusUnprocessableEntity, "amount is not an amount above zero")
		return
	case !referenceForm.MatchString(req.Reference):
		refuse(w, http.StatusUnprocessableEntity, "reference is missing or has other characters than letters, digits, - and _")
		return
	case !req.TestMode && !s.AllowLive:
		refuse(w, http.StatusUnprocessableEntity, liveRefused.description)
		return
	}
	now := s.Now()
	back, problem, err := s.store.refund(req, minor, now)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	s.Logger.InfoContext(r.Context(), "sandbox refund", "reference", req.Reference, "transaction", req.TransactionID, "problem", problem)
	switch {
	case problem != "":
		refuse(w, http.StatusUnprocessableEntity, problem)
	case back.Manner == refundsDeclined:
		answer(w, http.StatusOK, map[string]string{"status": "declined", "refundid": ""})
	case back.At.After(now):
		answer(w, http.StatusOK, map[string]string{"status": "pending", "refundid": back.RefundID})
	case back.Manner == refundsBreaking && back.Arrivals == 1:
		refuse(w, http.StatusInternalServerError, "something went wrong")
	default:
		answer(w, http.StatusOK, map[string]string{"status": "done", "refundid": back.RefundID})
	}
}

func (st *store) refund(req refundRequest, minor int64, now time.Time) (back refund, problem string, err error) {
	fresh := "rfd-" + strings.ToLower(rand.Text())
	err = st.db.Batch(func(tx *bbolt.Tx) error {
		back, problem = refund{}, ""
		known, err := get[refund](tx, refundsBucket, req.Reference)
		if err != nil {
			return err
		}
		if known != nil {
			known.Arrivals++
			back = *known
			return put(tx, refundsBucket, req.Reference, known)
		}
		charged, err := get[capture](tx, capturesBucket, req.TransactionID)
		if err != nil {
			return err
		}
		if problem = req.problem(charged, now); problem != "" {
			return nil
		}
		held, lost, err := disputed(tx, charged.Reference, now)
		switch {
		case err != nil:
			return err
		case held:
			problem = "the charge is disputed"
			return nil
		case minor > charged.Amount-charged.Refunded-lost:
			problem = moreThanCaptured
			return nil
		}
		back = refund{RefundID: fresh, Arrivals: 1, Manner: charged.Refunds, At: now.UTC()}
		if back.Manner == refundsPending {
			back.At = back.At.Add(refundDelay)
		}
		if err := put(tx, refundsBucket, req.Reference, &back); err != nil || back.Manner == refundsDeclined {
			return err
		}
		return moveBack(tx, charged, entry{Reference: req.Reference, TransactionID: req.TransactionID, Minor: minor, At: back.At})
	})
	return back, problem, err
}

const moreThanCaptured = "more than was captured"

// moveBack records that the money of a refund goes back.
func moveBack(tx *bbolt.Tx, charged *capture, e entry) error {
	charged.Refunded += e.Minor
	if err := put(tx, capturesBucket, e.TransactionID, charged); err != nil {
		return err
	}
	e.Kind, e.TrxID, e.Currency = refundKind, charged.TrxID, charged.Currency
	_, err := appendEntry(tx, e)
	return err
}

func (req refundRequest) problem(charged *capture, now time.Time) string {
	switch {
	case charged == nil || charged.At.After(now) || charged.MerchantID != req.MerchantID:
		return "no such charge"
	case charged.Currency != req.Currency:
		return "the charge is in another currency"
	default:
		return ""
	}
}
