package sandbox

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"forecourt/internal/kit/money"
)

func (s *Sandbox) showMerchants(w http.ResponseWriter, r *http.Request) {
	m := hostedModel{Title: "Test merchants"}
	for _, one := range testMerchants {
		m.Merchants = append(m.Merchants, listed{one.ID, one.Name, one.Secrets[0].Reveal(), one.PublicKey})
	}
	s.render(w, r, http.StatusOK, m)
}

// listed is a merchant whose secret is public.
type listed struct{ ID, Name, Secret, PublicKey string }

func (s *Sandbox) showProblems(w http.ResponseWriter, r *http.Request, problems []string) {
	s.render(w, r, http.StatusUnprocessableEntity, hostedModel{Title: "This payment cannot start", Problems: problems})
}

func (s *Sandbox) showStranger(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusNotFound, hostedModel{Title: "No such payment", Problems: []string{"There is no payment at this address."}})
}

func (s *Sandbox) showPayment(w http.ResponseWriter, r *http.Request, status int, h hosted, form cardForm) {
	back, err := s.back(r.Context(), h)
	merchant, missing := s.merchant(r.Context(), h.Merchant)
	if err := errors.Join(err, missing); err != nil {
		s.broken(w, r, err)
		return
	}
	m := hostedModel{
		Title: "Pay by card", Payment: &h, Form: form, Action: s.path("/hps/" + h.ID), Label: money.Format(h.Amount) + " " + h.Currency,
		Back: back,
	}
	if merchant != nil {
		m.Merchant = merchant.Name
	}
	switch {
	case h.State == challenged:
		m.Title = "Confirm your payment"
	case h.decided():
		m.Title = "This payment is finished"
	}
	s.render(w, r, status, m)
}

// hostedModel is what hostedPage shows: problems, the test merchants or a payment.
type hostedModel struct {
	Title, Base, Merchant, Action, Label, Back string
	Problems                                   []string
	Merchants                                  []listed
	Payment                                    *hosted
	Form                                       cardForm
	// Framed is true inside a merchant's page, which is at one of the origins FramedBy, separated by spaces.
	Framed   bool
	FramedBy string
}

func (s *Sandbox) render(w http.ResponseWriter, r *http.Request, status int, m hostedModel) {
	m.Base = s.path("")
	ancestors, back := "'none'", ""
	if m.Framed {
		ancestors = "'self'" + m.FramedBy
	}
	if m.Payment != nil {
		// Chromium also checks the redirect after a form post against form-action, so the ways back have to be allowed, too.
		back = origins(m.Payment.ProcessURL, m.Payment.CancelURL)
	}
	h := w.Header()
	if m.Framed {
		h.Del("X-Frame-Options") // the policy says who may
	}
	h.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors "+ancestors+"; form-action 'self'"+back)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = hostedPage(m).Render(r.Context(), w) // an error: the customer is gone
}

func origins(addresses ...string) string {
	list := ""
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			list += " " + u.Scheme + "://" + u.Host
		}
	}
	return list
}

// path returns the path at which browsers find a page, under whatever name they reached this host.
func (s *Sandbox) path(page string) string {
	u, err := url.Parse(s.PublicURL())
	if err != nil {
		return page
	}
	return strings.TrimRight(u.Path, "/") + page
}
