package sandbox

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	"forecourt/internal/site/keys"
)

// Public returns every page that a browser reaches without a key: the bank's of Challenge, and the hosted payment page:
//
//	POST /hps              begins a payment with a redirect form, once its transaction key is right
//	GET  /hps/{id}         shows it; POST pays, confirms or cancels
//	GET  /hps/embed        shows the card form inside a merchant's page; POST pays
//	GET  /hps/merchants    lists the test merchants
//	GET  /checkout.js      puts /hps/embed into a merchant's page; /jquery.js is what it needs
//
// Mounted below a prefix, it wants that prefix stripped, and Options.PublicURL to end with it.
func (s *Sandbox) Public() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/3ds/", s.Challenge())
	mux.HandleFunc("POST /hps", s.beginHosted)
	mux.HandleFunc("GET /hps/{id}", s.showHosted)
	mux.HandleFunc("POST /hps/{id}", s.decideHosted)
	mux.HandleFunc("GET /hps/embed", s.showEmbedded)
	mux.HandleFunc("POST /hps/embed", s.payEmbedded)
	if !s.KnownOnly {
		mux.HandleFunc("GET /hps/merchants", s.showMerchants)
	}
	for _, name := range []string{"hosted.css", "checkout.js", "jquery.js"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin") // a merchant's page loads it
			w.Header().Set("Cache-Control", "no-cache")
			http.ServeFileFS(w, r, files, name)
		})
	}
	return mux
}

// beginHosted answers POST /hps: the redirect form of a merchant's shop.
func (s *Sandbox) beginHosted(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxPayment)
	if err := r.ParseForm(); err != nil {
		s.showProblems(w, r, []string{"The form is too large or does not parse."})
		return
	}
	merchant, err := s.merchant(r.Context(), r.PostForm.Get("Merchant_User_Id"))
	if err != nil {
		s.broken(w, r, err)
		return
	}
	h, problems := newHosted(r.PostForm, merchant)
	if len(problems) > 0 {
		s.showProblems(w, r, problems)
		return
	}
	h.ID, h.At = rand.Text(), s.Now().UTC()
	if err := s.store.begin(h); err != nil {
		s.broken(w, r, err)
		return
	}
	http.Redirect(w, r, s.path("/hps/"+h.ID), http.StatusSeeOther)
}

// strangeMerchant completes the sentence that the name of a field begins.
const strangeMerchant = "is neither a test merchant nor the account id of a merchant of this site."

// newHosted checks a redirect form, whose merchant is nil if nobody has its id. The problems are worded for the developer of the shop.
func newHosted(form url.Values, merchant *keys.Merchant) (hosted, []string) {
	var problems []string
	if merchant == nil {
		problems = append(problems, "Merchant_User_Id "+strangeMerchant)
	}
	h, problem := newPurchase(form.Get("amount"), form.Get("currencydesc"))
	problems = append(problems, problem...)
	if h.Reference = form.Get("merchant_ref_number"); h.Reference == "" {
		problems = append(problems, "merchant_ref_number is missing.")
	}
	for _, name := range []string{"processurl", "cancelurl", "notifyurl"} {
		if value := form.Get(name); !webAddress(value) && (name != "notifyurl" || value != "") {
			problems = append(problems, name+" is not an http or https address.")
		}
	}
	if merchant != nil {
		in := keys.Input{Currency: form.Get("currencydesc"), Amount: form.Get("amount"), Reference: h.Reference}
		for _, mistake := range merchant.Mistakes(in, form.Get("transactionkey")) {
			problems = append(problems, "transactionkey: "+mistake.Explain())
		}
		h.Merchant = merchant.ID
	}
	h.ProcessURL, h.CancelURL, h.NotifyURL = form.Get("processurl"), form.Get("cancelurl"), form.Get("notifyurl")
	h.Summary = form.Get("Purchase_summary")
	h.Sent = sentFields(form)
	return h, append(problems, unfit(h.Sent)...)
}

func newPurchase(amount, currency string) (h hosted, problems []string) {
	minor, err := keys.Charged(amount)
	if err != nil || minor == 0 {
		problems = append(problems, "amount is not an amount from 0.01 to 999999.99 with at most two decimals.")
	}
	h.Amount, h.Currency = minor, keys.Currency(currency)
	if !money.Currency(h.Currency) {
		problems = append(problems, "the currency is not a code of three letters in use, with two decimals, such as GBP.")
	}
	return h, problems
}

func (s *Sandbox) showHosted(w http.ResponseWriter, r *http.Request) {
	if h := s.hosted(w, r); h != nil {
		s.showPayment(w, r, http.StatusOK, *h, cardForm{Expiry: testExpiry})
	}
}

// hosted finds the payment that the address names. If there is none, it answers the request and returns nil.
func (s *Sandbox) hosted(w http.ResponseWriter, r *http.Request) *hosted {
	h, err := s.store.hosted(r.PathValue("id"))
	if err != nil {
		s.broken(w, r, err)
		return nil
	}
	if h == nil {
		s.showStranger(w, r)
	}
	return h
}

// testExpiry is what an empty card form suggests.
const testExpiry = "12/34"

// cardForm holds the values and problems with which the card form is shown again. The number and the security code are never shown again.
type cardForm struct {
	Name, Expiry string
	Problems     []string
	number       card.Number
}

func readCard(r *http.Request) cardForm {
	form := cardForm{Name: strings.TrimSpace(r.PostFormValue("name")), Expiry: strings.TrimSpace(r.PostFormValue("exp"))}
	number, numberErr := card.ParseNumber(typed.Digits(r.PostFormValue("card")))
	_, expiryErr := typed.ParseExpiry(form.Expiry)
	_, cvcErr := card.ParseCVC(typed.Digits(r.PostFormValue("cvc")))
	form.number = number
	for _, check := range []struct {
		wrong bool
		text  string
	}{
		{form.Name == "", "Enter the name on the card."},
		{numberErr != nil, "Check the card number."},
		{expiryErr != nil, "Enter the expiry as MM/YY."},
		{cvcErr != nil, "Enter the 3 or 4 digits of the CVC."},
	} {
		if check.wrong {
			form.Problems = append(form.Problems, check.text)
		}
	}
	if card.MayHoldNumber(form.Name) {
		form.Name = ""
	}
	if card.MayHoldNumber(form.Expiry) {
		form.Expiry = ""
	}
	return form
}

// decideHosted answers POST /hps/{id}: the buttons of the page.
func (s *Sandbox) decideHosted(w http.ResponseWriter, r *http.Request) {
	if h := s.hosted(w, r); h != nil {
		s.proceed(w, r, *h)
	}
}

// proceed carries out a button and sends the customer on. A decided payment stays as it is.
func (s *Sandbox) proceed(w http.ResponseWriter, r *http.Request, h hosted) {
	r.Body = http.MaxBytesReader(w, r.Body, maxPayment)
	var v verdict
	from, lastFour := []state{challenged}, ""
	switch r.PostFormValue("do") {
	case "cancel":
		v, from = verdict{state: cancelled, description: "The customer went back"}, []state{begun, challenged}
	case "approve":
		v = verdict{state: approved, description: "Approved"}
	case "refuse":
		v = authFailed
	case "pay":
		form := readCard(r)
		if len(form.Problems) > 0 {
			s.showPayment(w, r, http.StatusUnprocessableEntity, h, form)
			return
		}
		v, from, lastFour = s.judge(form.number.Reveal(), form.Expiry, true, s.Now()), []state{begun}, form.number.LastFour()
	default:
		http.Error(w, "do is none of pay, approve, refuse and cancel", http.StatusUnprocessableEntity)
		return
	}
	if v.state == failed {
		v.description = "The acquirer did not answer. Nothing was charged"
	}
	h, changed, err := s.store.proceed(h, v, lastFour, s.Now(), from...)
	if err == nil && changed && h.decided() && h.NotifyURL != "" {
		h.Notified = s.notify(r.Context(), h)
		err = s.store.keepNotified(h)
	}
	var back string
	if err == nil {
		back, err = s.back(r.Context(), h)
	}
	switch {
	case err != nil:
		s.broken(w, r, err)
	case h.decided():
		http.Redirect(w, r, back, http.StatusSeeOther) //nolint:gosec // the shop names where its customer returns; http or https
	default:
		http.Redirect(w, r, s.path("/hps/"+h.ID), http.StatusSeeOther)
	}
}
