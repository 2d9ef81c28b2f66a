package sandbox

import (
	"embed"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"forecourt/internal/kit/money"
)

//go:embed challenge.css hosted.css checkout.js jquery.js
var files embed.FS

// Challenge returns the bank's public 3-D Secure pages, /3ds/{reference}, which need no key: the reference is the secret.
// Mounted below a prefix, it wants that prefix stripped, and Options.PublicURL to end with it.
func (s *Sandbox) Challenge() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /3ds/{reference}", s.showChallenge)
	mux.HandleFunc("POST /3ds/{reference}", s.decideChallenge)
	mux.HandleFunc("GET /3ds/challenge.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, files, "challenge.css")
	})
	return mux
}

func (s *Sandbox) challengeURL(reference string) string {
	return strings.TrimRight(s.PublicURL(), "/") + "/3ds/" + url.PathEscape(reference)
}

// challengeModel is what the page shows. Open is false once the payment was decided or closed.
type challengeModel struct {
	Found     bool
	Open      bool
	Amount    string
	Merchant  string
	LastFour  string
	ReturnURL string
}

func (s *Sandbox) showChallenge(w http.ResponseWriter, r *http.Request) {
	p, err := s.store.payment(r.PathValue("reference"))
	if err != nil {
		s.broken(w, r, err)
		return
	}
	if p == nil || p.ReturnURL == "" {
		showPage(w, r, http.StatusNotFound, challengeModel{})
		return
	}
	showPage(w, r, http.StatusOK, challengeModel{
		Found: true, Open: p.State == challenged, Amount: money.Format(p.Amount) + " " + p.Currency,
		Merchant: p.MerchantID, LastFour: p.LastFour, ReturnURL: p.ReturnURL,
	})
}

// decideChallenge answers the two buttons. A payment that was already decided or closed stays as it is.
func (s *Sandbox) decideChallenge(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxPayment)
	decision := r.PostFormValue("decision")
	if decision != "approve" && decision != "refuse" {
		http.Error(w, "decision is neither approve nor refuse", http.StatusUnprocessableEntity)
		return
	}
	p, err := s.store.decide(r.PathValue("reference"), decision == "approve", s.Now())
	switch {
	case err != nil:
		s.broken(w, r, err)
	case p == nil || p.ReturnURL == "":
		showPage(w, r, http.StatusNotFound, challengeModel{})
	default:
		s.Logger.InfoContext(r.Context(), "sandbox 3-D Secure", "reference", p.Reference, "state", p.State)
		http.Redirect(w, r, p.ReturnURL, http.StatusSeeOther)
	}
}

// decide decides a payment and returns it, or nil if there is none.
func (st *store) decide(reference string, approve bool, now time.Time) (p *payment, err error) {
	err = st.db.Batch(func(tx *bbolt.Tx) error {
		p, err = get[payment](tx, paymentsBucket, reference)
		if err != nil || p == nil || p.State != challenged {
			return err
		}
		p.At = now.UTC()
		if !approve {
			p.State, p.Code, p.StatusCode, p.Description = declined, authFailed.code, authFailed.code, authFailed.description
			return put(tx, paymentsBucket, reference, p)
		}
		p.State, p.Description = approved, "Approved"
		if err := saveCharge(tx, p); err != nil {
			return err
		}
		return put(tx, paymentsBucket, reference, p)
	})
	return p, err
}

func showPage(w http.ResponseWriter, r *http.Request, status int, m challengeModel) {
	// Chromium also checks the redirect after a form post against form-action, so the way back has to be allowed, too.
	back := ""
	if u, err := url.Parse(m.ReturnURL); err == nil && u.Host != "" {
		back = " " + u.Scheme + "://" + u.Host
	}
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"+back)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = challengePage(m).Render(r.Context(), w) // an error: the customer is gone
}
