package demo

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/site/keys"
	view "forecourt/views/demo"
)

// Hosted holds the addresses of the hosted payment page and its parts. Public is this site's address without a trailing slash.
type Hosted struct {
	Public string `kong:"-"`
	URL    string `name:"HPS_URL" type:"web" unset:"the test gateway's"` // takes the redirect form
	// Script puts the embedded checkout into a page. It needs JQuery.
	Script       string `name:"CHECKOUT_SCRIPT_URL" type:"web" unset:"the test gateway's" help:"script of the embedded checkout in the demo"`
	JQuery       string `name:"JQUERY_URL" type:"web" unset:"the test gateway's" help:"the jQuery that this script uses"`
	FrameURL     string `kong:"-"` // the page that Script frames, for browsers without scripts; empty if only the script knows it
	MerchantID   string `kong:"-"` // prefilled in the form; empty for none
	PublicKey    string `kong:"-"`
	MerchantsURL string `kong:"-"` // lists test merchants; empty for none
	OwnMerchants bool   `kong:"-"` // the hosted page takes the merchants of this site
}

// HostedPage serves the demo of the hosted payment page.
type HostedPage struct {
	hosted    Hosted
	merchants *merchant.Merchants
	notes     *notes
}

// NewHosted serves the demo of h.
func NewHosted(h Hosted, merchants *merchant.Merchants) *HostedPage {
	return &HostedPage{hosted: h, merchants: merchants, notes: newNotes(time.Now)}
}

// caller returns the settings of the demo for whoever asks: those who have a test merchant try the demo with it. mine is its name.
func (h *HostedPage) caller(r *http.Request) (hosted Hosted, mine string, err error) {
	hosted = h.hosted
	person, ok := session.Signed(r)
	if !hosted.OwnMerchants || !ok {
		return hosted, "", nil
	}
	all, err := h.merchants.Of(r.Context(), person.ID)
	i := slices.IndexFunc(all, merchant.Merchant.Signs)
	if i < 0 {
		return hosted, "", err
	}
	hosted.MerchantID, hosted.PublicKey = all[i].MID, merchant.PublicKey(all[i].UUID)
	return hosted, all[i].Name, nil
}

// Show answers GET /demo/hps and GET /demo/hps/{id}.
func (h *HostedPage) Show(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	p, err := h.page(r, nil, nil, query)
	if err != nil {
		return err
	}
	if result := query.Get("result"); result != "" {
		o := view.OutcomeFor(result)
		o.Returned = returned(query)
		o.Notified, o.NotifiedText = h.notes.received(chi.URLParam(r, "id")), view.NotifiedText(query.Get("notification"))
		p.Outcome = &o
		w.Header().Set("Cache-Control", "no-store")
	}
	return h.render(w, r, http.StatusOK, p)
}

// Sign answers POST /demo/hps, for browsers without scripts: it makes the key and shows the form ready to be posted. It uses the secret
// once and neither logs, keeps nor prints it.
func (h *HostedPage) Sign(w http.ResponseWriter, r *http.Request) error {
	merchantSecret := secret.New(r.PostForm.Get(secretField))
	edited, status, required := r.PostForm.Get("edit") != "", http.StatusOK, []string(nil)
	missing := !edited && (r.PostForm.Get(merchantField) == "" || merchantSecret.Reveal() == "")
	if missing {
		status, required = http.StatusUnprocessableEntity, []string{merchantField, secretField}
	}
	p, err := h.page(r, r.PostForm, required, nil)
	if err != nil {
		return err
	}
	if edited || missing {
		return h.render(w, r, status, p)
	}
	in := keys.Input{
		Currency: r.PostForm.Get("currencydesc"), Amount: r.PostForm.Get("amount"), Reference: r.PostForm.Get("merchant_ref_number"),
		Secret: merchantSecret,
	}
	f := &p.Redirect
	f.Key, f.Parts, f.NotReady = in.Key(keys.SHA1), append(keyParts(in), view.Pair{Name: "secret", Value: "••••••"}), ""
	f.Groups[0].Fields = slices.DeleteFunc(f.Groups[0].Fields, func(one field) bool { return one.Name == secretField })
	return h.render(w, r, http.StatusOK, p)
}

// Notify answers POST /demo/hps/{id}/notify, which the hosted page calls.
func (h *HostedPage) Notify(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	if !idForm.MatchString(id) {
		return fault.New(fault.NotFound, "no id that the demo gives out")
	}
	h.notes.keep(id, r.PostForm)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// idForm matches the ids that rand.Text makes for payments of the demo.
var idForm = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// render lets the page post to, load from and frame the provider's hosts, and nothing else.
func (h *HostedPage) render(w http.ResponseWriter, r *http.Request, status int, p view.Hosted) error {
	web.AllowAll(w, web.Policy{
		"form-action": {origin(h.hosted.URL)}, "script-src": {origin(h.hosted.Script), origin(h.hosted.JQuery)},
		"frame-src": {origin(h.hosted.Script)},
	})
	return web.Render(w, r, status, view.HostedPage(p))
}

func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "'self'"
	}
	return u.Scheme + "://" + u.Host
}

// returned lists what came back in the address, in a stable order.
func returned(query url.Values) []view.Pair {
	var pairs []view.Pair
	for name, values := range query {
		pairs = append(pairs, view.Pair{Name: name, Value: values[0]})
	}
	slices.SortFunc(pairs, func(a, b view.Pair) int { return strings.Compare(a.Name, b.Name) })
	return pairs
}

// redirectDefaults returns the values that the redirect form starts with (HPS-15, HPS-17). Each time the form gets a new id, so that a
// notification finds its page.
func redirectDefaults(h Hosted) url.Values {
	back := h.Public + "/demo/hps/" + rand.Text()
	return url.Values{
		merchantField: {h.MerchantID}, "merchant_ref_number": {"ORDER-1001"}, "currencydesc": {"GBP"}, "amount": {"5.00"},
		"Purchase_summary": {"Two paperbacks"}, "processurl": {back}, "cancelurl": {back}, "notifyurl": {back + "/notify"},
		"customer_firstname": {"Jo"}, "customer_lastname": {"Bloggs"}, "customer_email": {"jo@example.com"}, "customer_phone": {"0400 000 000"},
		"bill_address": {"1 High Street"}, "bill_city": {"London"}, "bill_state": {"London"}, "bill_postcode": {"N1 1AA"}, "bill_country": {"GB"},
	}
}

// embeddedDefaults returns the values that the embedded checkout starts with (HPS-16, HPS-17).
func embeddedDefaults(h Hosted) map[string]string {
	return map[string]string{
		"amount": "0.05", "currency": "GBP", "reference": "ORDER-1002", "description": "One bookmark", "firstname": "Jo", "lastname": "Bloggs",
		"email": "jo@example.com", "merchantuserid": h.MerchantID, "publickey": h.PublicKey,
	}
}

// embeddedValue returns the value in the query, which Reload sends without scripts, or else the form's default.
func embeddedValue(name string, query url.Values, defaults map[string]string) string {
	if query.Get("result") != "" {
		return defaults[name] // the query names a payment
	}
	return cmp.Or(query.Get(name), defaults[name])
}
