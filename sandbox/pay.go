package sandbox

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/gateway"
)

// cardRequest is the body of POST /api/pay.
type cardRequest struct {
	MerchantID string       `json:"merchantId"`
	TrxID      string       `json:"trxId"`
	Reference  string       `json:"reference"`
	Amount     gateway.Text `json:"amount"`
	Currency   string       `json:"currency"`
	Cardholder string       `json:"cardholder"`
	PAN        string       `json:"pan"`
	Exp        string       `json:"exp"`
	CVC        string       `json:"cvc"`
	TestMode   bool         `json:"testMode"`
	Email      string       `json:"cEmail"`
	ReturnURL  string       `json:"returnUrl"`
}

func (s *Sandbox) pay(w http.ResponseWriter, r *http.Request) {
	var req cardRequest
	if !read(w, r, maxPayment, &req) {
		return
	}
	now := s.Now()
	v := s.judge(req.PAN, req.Exp, req.TestMode, now)
	p, problem := s.newPayment(common{req.Reference, req.TrxID, req.MerchantID, string(req.Amount), req.Currency, req.ReturnURL}, v, now)
	if problem != "" {
		refuse(w, http.StatusBadRequest, problem)
		return
	}
	number, _ := card.ParseNumber(typed.Digits(req.PAN)) // a wrong one was judged already and has no last four digits
	p.TestMode, p.LastFour = req.TestMode, number.LastFour()
	first, last, _ := strings.Cut(strings.TrimSpace(req.Cardholder), " ")
	p.Consumer = gateway.CardConsumer{FirstName: gateway.Text(first), LastName: gateway.Text(last), Email: gateway.Text(req.Email)}
	s.accept(w, r, p, v)
}

// common holds what card and wallet payments have in common.
type common struct{ reference, trxID, merchantID, amount, currency, returnURL string }

// newPayment checks the request and numbers the payment. The problem is worded for the developer who reads the answer.
func (s *Sandbox) newPayment(c common, v verdict, now time.Time) (payment, string) {
	minor, err := money.Parse(c.amount)
	switch {
	case !referenceForm.MatchString(c.reference):
		return payment{}, "reference is missing or has other characters than letters, digits, - and _"
	case err != nil || minor == 0:
		return payment{}, "amount is not an amount above zero"
	case !money.Currency(c.currency):
		return payment{}, "currency is not a code of three capital letters in use, with two decimals"
	case c.trxID == "" || c.merchantID == "":
		return payment{}, "trxId and merchantId are needed"
	case c.returnURL != "" && !webAddress(c.returnURL), v.state == challenged && !webAddress(c.returnURL):
		return payment{}, "returnUrl is not an http or https address"
	case v.state == challenged && s.PublicURL() == "":
		return payment{}, "3-D Secure is not possible: the sandbox has no public address"
	}
	if v.late {
		now = now.Add(s.LateCharge)
	}
	return payment{
		Reference: c.reference, State: v.state, TrxID: c.trxID, MerchantID: c.merchantID, Amount: minor, Currency: c.currency,
		ReturnURL: c.returnURL, At: now.UTC(), TransactionID: "sbx-" + strings.ToLower(rand.Text()), Code: v.approvalCode(),
		StatusCode: v.statusCode(), Description: v.description, BankNo: digits(12), GatewayRef: digits(10), Refunds: v.refunds,
		Disputed: v.disputed,
	}, ""
}

// accept records the payment, charge included, and then answers in the verdict's manner.
func (s *Sandbox) accept(w http.ResponseWriter, r *http.Request, p payment, v verdict) {
	refused, err := s.store.accept(p)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	s.Logger.InfoContext(
		r.Context(), "sandbox payment", "reference", p.Reference, "trx", p.TrxID, "card", p.LastFour, "state", p.State, "refused", refused,
	)
	if refused {
		answer(w, http.StatusGone, map[string]string{"error": "this reference was closed and is not charged", "state": string(notCharged)})
		return
	}
	switch v.manner {
	case slowly:
		s.wait(r, s.After(s.SlowAnswer))
	case afterCharge:
		s.wait(r, s.After(s.LateCharge))
	case never:
		s.wait(r, nil)
	case breaking:
		refuse(w, http.StatusInternalServerError, "something went wrong")
		return
	}
	answer(w, http.StatusOK, s.response(p))
}

// wait returns when done fires. If the caller goes or the sandbox closes first, it cuts the connection without an answer.
func (s *Sandbox) wait(r *http.Request, done <-chan time.Time) {
	select {
	case <-done:
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	case <-s.closing:
		panic(http.ErrAbortHandler)
	}
}

// accept records an arrival; refused is true for a closed reference. A second arrival is charged again, and the reference
// then answers with the latest payment, unless that would hide an earlier charge.
func (st *store) accept(p payment) (refused bool, err error) {
	err = st.db.Batch(func(tx *bbolt.Tx) error {
		known, err := get[payment](tx, paymentsBucket, p.Reference)
		if err != nil {
			return err
		}
		refused = known != nil && known.State == notCharged
		if p.State == approved && !refused {
			if err := saveCharge(tx, &p); err != nil {
				return err
			}
		}
		kept, arrivals := p, 0
		if known != nil {
			arrivals = known.Arrivals
			if refused || known.State == approved {
				kept = *known
			}
		}
		kept.Arrivals = arrivals + 1
		return put(tx, paymentsBucket, kept.Reference, &kept)
	})
	return refused, err
}

func (v verdict) approvalCode() string {
	if v.state == approved || v.state == challenged {
		return digits(6)
	}
	return v.code
}

func (v verdict) statusCode() string {
	if v.state == approved || v.state == challenged {
		return "0"
	}
	return v.code
}

// digits returns n random digits.
func digits(n int64) string {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil)
	i, err := rand.Int(rand.Reader, limit)
	if err != nil {
		panic(err) // the system's source of randomness does not fail
	}
	return fmt.Sprintf("%0*d", n, i)
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil && hostForm.MatchString(u.Host)
}

// hostForm matches hosts that are a single source in a Content-Security-Policy.
var hostForm = regexp.MustCompile(`^[0-9A-Za-z._:\[\]-]+$`)
