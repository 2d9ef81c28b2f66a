package sandbox

import (
	"crypto/rand"
	"net/http"
	"net/url"

	"forecourt/internal/card"
	"forecourt/internal/money"
)

// embedFields are what a merchant's page tells the embedded checkout. All of it is public.
var embedFields = []string{
	"amount", "currency", "reference", "description", "firstname", "lastname", "email", "merchantuserid", "publickey", "returnurl",
}

// showEmbedded answers GET /hps/embed with a card form for a frame. Nothing is kept until somebody pays.
func (s *Sandbox) showEmbedded(w http.ResponseWriter, r *http.Request) {
	h, problems := newEmbedded(r.URL.Query())
	m := hostedModel{Title: "Pay by card", Framed: true, Problems: problems}
	if len(problems) > 0 {
		m.Title = "This checkout cannot start"
		s.render(w, http.StatusUnprocessableEntity, m)
		return
	}
	h.ID = rand.Text()
	m = s.embeddedModel(h, cardForm{Name: fullName(r.URL.Query()), Expiry: testExpiry})
	s.render(w, http.StatusOK, m)
}

// payEmbedded answers POST /hps/embed, which leaves the frame: its form's target is the whole window.
func (s *Sandbox) payEmbedded(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxPayment)
	if err := r.ParseForm(); err != nil {
		s.showProblems(w, []string{"The form is too large or does not parse."})
		return
	}
	h, problems := newEmbedded(r.PostForm)
	if h.ID = r.PostForm.Get("id"); !referenceForm.MatchString(h.ID) {
		problems = append(problems, "id is missing.")
	}
	if len(problems) > 0 {
		s.showProblems(w, problems)
		return
	}
	if form := readCard(r); len(form.Problems) > 0 {
		m := s.embeddedModel(h, form)
		m.Framed = false
		s.render(w, http.StatusUnprocessableEntity, m)
		return
	}
	s.proceed(w, r, h)
}

// newEmbedded checks what a merchant's page told. The problems are worded for its developer.
func newEmbedded(told url.Values) (hosted, []string) {
	h, problems := newPurchase(told.Get("amount"), told.Get("currency"))
	h.State, h.Embedded = begun, true
	merchant := merchantOf(told.Get("merchantuserid"))
	switch {
	case merchant == nil:
		problems = append(problems, "merchantuserid is not one of the test merchants.")
	case merchant.PublicKey != told.Get("publickey"):
		problems = append(problems, "publickey is not this merchant's.")
	}
	if !webAddress(told.Get("returnurl")) {
		problems = append(problems, "returnurl is not an http or https address.")
	}
	h.Merchant, h.Reference, h.Summary = told.Get("merchantuserid"), told.Get("reference"), told.Get("description")
	h.ProcessURL, h.CancelURL = told.Get("returnurl"), told.Get("returnurl")
	for _, name := range embedFields {
		h.Sent = append(h.Sent, [2]string{name, told.Get(name)})
	}
	return h, problems
}

func (s *Sandbox) embeddedModel(h hosted, form cardForm) hostedModel {
	return hostedModel{
		Title: "Pay by card", Framed: true, Payment: &h, Form: form, Action: s.path("/hps/embed"),
		Label: money.Format(h.Amount) + " " + h.Currency, Merchant: merchantOf(h.Merchant).Name,
	}
}

func fullName(told url.Values) string {
	name := told.Get("firstname")
	if last := told.Get("lastname"); last != "" {
		name += " " + last
	}
	if card.MayHoldNumber(name) {
		return ""
	}
	return name
}
