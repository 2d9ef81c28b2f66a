package sandbox

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
)

const (
	maxPayment = 16 << 10 // bytes of a payment
	maxBody    = 64 << 10 // bytes of any other request
)

// Handler returns the gateway's API, where every call needs the bearer key:
//
//	POST /api/pay                            charges a card
//	POST /api/wallet                         charges a wallet token
//	GET  /api/payments/{reference}           says what became of it
//	POST /api/payments/{reference}/resolve   settles it for good
//	POST /wallet/key, POST /wallet/validate  what the wallet buttons need
//	POST /api/refund                         refunds all or part of a charge
//	GET  /ledger?from=&to=&kinds=&cursor=    lists charges and refunds, and what else kinds names
//
// and the calls for tests and rehearsals, which docs/gateway.md describes:
//
//	POST /sandbox/dispute                    opens, wins or loses a dispute about a charge
//	POST /sandbox/payout?id=&at=             pays out now what is otherwise paid out at 00:00 UTC
//	POST /sandbox/refund                     refunds in the gateway's console
//	POST /sandbox/entry                      lists entries late, otherwise or no longer
//	POST /sandbox/pages                      pages the ledger by offset
func (s *Sandbox) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", s.pay)
	mux.HandleFunc("POST /api/wallet", s.payWallet)
	mux.HandleFunc("GET /api/payments/{reference}", s.look)
	mux.HandleFunc("POST /api/payments/{reference}/resolve", s.resolve)
	mux.HandleFunc("POST /wallet/key", s.walletKey)
	mux.HandleFunc("POST /wallet/validate", s.validateMerchant)
	mux.HandleFunc("POST /api/refund", s.refund)
	mux.HandleFunc("GET /ledger", s.ledger)
	mux.HandleFunc("POST /sandbox/dispute", s.dispute)
	mux.HandleFunc("POST /sandbox/payout", s.payOut)
	mux.HandleFunc("POST /sandbox/refund", s.refundInConsole)
	mux.HandleFunc("POST /sandbox/entry", s.relist)
	mux.HandleFunc("POST /sandbox/pages", s.pageByOffset)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusNotFound, "no such address") })
	return s.guard(mux)
}

func (s *Sandbox) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		got := digest(key)
		if subtle.ConstantTimeCompare(got[:], s.keyDigest[:]) != 1 || !bearer {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "the bearer key is missing or wrong")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func digest(key string) [32]byte { return sha256.Sum256([]byte(key)) }

// read decodes the body, or answers 400 or 413 and returns false. It never quotes the body, which may hold a card number.
func read(w http.ResponseWriter, r *http.Request, limit int64, into any) bool {
	// The body is read to its end, or the server would not notice that a waiting caller has gone.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, "the body is too large")
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body is not readable as JSON of this call")
	}
	return err == nil
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller may have gone; the ledger has it anyway
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]string{"error": message})
}

// broken answers 500 for a ledger file that cannot be read or written.
func (s *Sandbox) broken(w http.ResponseWriter, r *http.Request, err error) {
	s.Logger.ErrorContext(r.Context(), "sandbox ledger", "error", err)
	refuse(w, http.StatusInternalServerError, "the sandbox's ledger does not work")
}

var referenceForm = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)
