package sandbox

import (
	"crypto/rand"
	"net/http"
	"net/url"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/money"
	"forecourt/internal/site/keys"
)

// embedFields lists the fields that a merchant's page gives the embedded checkout. All of them are public.
var embedFields = []string{
	"amount", "currency", "reference", "description", "firstname", "lastname", "email", "merchantuserid", "publickey", "returnurl",
}

// showEmbedded answers GET /hps/embed with a card form for a frame, in a page of the origin to which the customer returns and in no
// other. Nothing is stored until a customer pays.
func (s *Sandbox) showEmbedded(w http.ResponseWriter, r *http.Request) {
	sent := r.URL.Query()
	merchant, err := s.merchant(r.Context(), sent.Get("merchantuserid"))
	if err != nil {
		s.broken(w, r, err)
		return
	}
	h, problems := newEmbedded(sent, merchant)
	if len(problems) > 0 {
		m := hostedModel{Title: "This checkout cannot start", Framed: true, Problems: problems}
		if webAddress(h.ProcessURL) {
			m.FramedBy = origins(h.ProcessURL)
		}
		s.render(w, r, http.StatusUnprocessableEntity, m)
		return
	}
	h.ID = rand.Text()
	s.render(w, r, http.StatusOK, s.embeddedModel(h, merchant, cardForm{Name: fullName(sent), Expiry: testExpiry}))
}

// payEmbedded answers POST /hps/embed, which leaves the frame: its form's target is the whole window.
func (s *Sandbox) payEmbedded(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxPayment)
	if err := r.ParseForm(); err != nil {
		s.showProblems(w, r, []string{"The form is too large or does not parse."})
		return
	}
	merchant, err := s.merchant(r.Context(), r.PostForm.Get("merchantuserid"))
	if err != nil {
		s.broken(w, r, err)
		return
	}
	h, problems := newEmbedded(r.PostForm, merchant)
	if h.ID = r.PostForm.Get("id"); !referenceForm.MatchString(h.ID) {
		problems = append(problems, "id is missing.")
	} else if card.HoldsCard(h.ID) {
		problems = append(problems, "id: "+card.LeaveOut)
	}
	if len(problems) > 0 {
		s.showProblems(w, r, problems)
		return
	}
	if form := readCard(r); len(form.Problems) > 0 {
		m := s.embeddedModel(h, merchant, form)
		m.Framed = false
		s.render(w, r, http.StatusUnprocessableEntity, m)
		return
	}
	s.proceed(w, r, h)
}

// newEmbedded checks what a merchant's page sent; merchant is nil if nobody has its id. The problems are worded for its developer.
func newEmbedded(sent url.Values, merchant *keys.Merchant) (hosted, []string) {
	h, problems := newPurchase(sent.Get("amount"), sent.Get("currency"))
	h.State, h.Embedded = begun, true
	switch {
	case merchant == nil:
		problems = append(problems, "merchantuserid "+strangeMerchant)
	case merchant.PublicKey != sent.Get("publickey"):
		problems = append(problems, "publickey is not this merchant's.")
	}
	if !webAddress(sent.Get("returnurl")) {
		problems = append(problems, "returnurl is not an http or https address.")
	}
	h.Merchant, h.Reference, h.Summary = sent.Get("merchantuserid"), sent.Get("reference"), sent.Get("description")
	h.ProcessURL, h.CancelURL = sent.Get("returnurl"), sent.Get("returnurl")
	for _, name := range embedFields {
		h.Sent = append(h.Sent, [2]string{name, sent.Get(name)})
	}
	return h, append(problems, unfit(h.Sent)...)
}

func (s *Sandbox) embeddedModel(h hosted, merchant *keys.Merchant, form cardForm) hostedModel {
	return hostedModel{
		Title: "Pay by card", Framed: true, FramedBy: origins(h.ProcessURL), Payment: &h, Form: form, Action: s.path("/hps/embed"),
		Label: money.Format(h.Amount) + " " + h.Currency, Merchant: merchant.Name,
	}
}

func fullName(sent url.Values) string {
	name := sent.Get("firstname")
	if last := sent.Get("lastname"); last != "" {
		name += " " + last
	}
	if card.MayHoldNumber(name) {
		return ""
	}
	return name
}
