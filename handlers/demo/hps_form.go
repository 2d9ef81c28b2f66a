package demo

import (
	"net/http"
	"net/url"
	"slices"

	"forecourt/handlers/session"
	view "forecourt/views/demo"
	"forecourt/views/props"
	"forecourt/views/ui"
)

type field = ui.Field

// These are the form's required fields (HPS-08). The secret is never posted to the hosted page.
const (
	merchantField = "Merchant_User_Id"
	secretField   = "Merchant_Secret"
)

// redirectGroups returns the fields of the redirect form (HPS-01, HPS-02), named as they are posted.
func redirectGroups() []view.Fields {
	return []view.Fields{
		{Fields: []field{
			{Name: merchantField}, {Name: secretField}, {Name: "merchant_ref_number"},
			{Name: "currencydesc"}, {Name: "amount", InputMode: "decimal"}, {Name: "Purchase_summary"},
		}},
		{Title: "Customer and billing address", Fields: []field{
			{Name: "customer_firstname"}, {Name: "customer_lastname"},
			{Name: "customer_email", Type: "email"}, {Name: "customer_phone", Type: "tel"},
			{Name: "bill_address"}, {Name: "bill_city"}, {Name: "bill_state"}, {Name: "bill_postcode"}, {Name: "bill_country"},
		}},
		{Title: "Where to return and what to notify", Open: true, Fields: []field{
			{Name: "processurl", Type: "url"}, {Name: "cancelurl", Type: "url"}, {Name: "notifyurl", Type: "url"},
		}},
	}
}

// page shows the redirect form with values, or its defaults if nil, the required fields' problems, and the embedded form with what a query
// says.
func (h *HostedPage) page(r *http.Request, values url.Values, required []string, query url.Values) (view.Hosted, error) {
	hosted, mine, err := h.caller(r)
	if err != nil {
		return view.Hosted{}, err
	}
	if values == nil {
		values = redirectDefaults(hosted)
	}
	_, signed := session.Signed(r)
	p := view.Hosted{
		Frame: page("Hosted payment page", "Try the hosted payment page with a live key.", "/demo/hps", "hps.js"),
		Redirect: view.RedirectForm{
			URL: h.hosted.URL, MerchantsURL: h.hosted.MerchantsURL, NotReady: view.NotReady,
			Own: h.hosted.OwnMerchants, Signed: signed, Mine: mine,
		},
	}
	p.Redirect.Props = props.HostedPage{URL: h.hosted.URL, NotReady: view.NotReady, Samples: samples}
	var posted []view.Pair
	for _, g := range redirectGroups() {
		for i, f := range g.Fields {
			f.ID, f.Label = "r-"+f.Name, f.Name
			if f.Name != secretField {
				f.Value = values.Get(f.Name)
				posted = append(posted, view.Pair{Name: f.Name, Value: f.Value})
			}
			if slices.Contains(required, f.Name) && f.Value == "" {
				f.Problem = "Enter the " + f.Name
			}
			g.Fields[i] = f
		}
		p.Redirect.Groups = append(p.Redirect.Groups, g)
		p.Redirect.Props.Groups = append(p.Redirect.Props.Groups, props.FieldGroup{Title: g.Title, Open: g.Open, Fields: demoFields(g.Fields)})
	}
	for _, s := range samples {
		p.Redirect.Samples = append(p.Redirect.Samples, view.Sample{ID: s.ID, Name: s.Name, Text: write(s, h.hosted.URL, posted)})
	}
	p.Embedded = embedded(hosted, query)
	return p, nil
}

// embeddedNames are the fields of the embedded checkout (HPS-13).
var embeddedNames = []string{
	"amount", "currency", "reference", "description", "firstname", "lastname", "email", "merchantuserid", "publickey",
}

func embedded(hosted Hosted, query url.Values) view.EmbeddedForm {
	back := hosted.Public + "/demo/hps/embedded" // ROUTE-10
	told, defaults := url.Values{"returnurl": {back}}, embeddedDefaults(hosted)
	var f view.EmbeddedForm
	for _, name := range embeddedNames {
		one := field{ID: "e-" + name, Name: name, Label: name, Value: embeddedValue(name, query, defaults)}
		switch name {
		case "amount":
			one.InputMode = "decimal"
		case "email":
			one.Type = "email"
		}
		told.Set(name, one.Value)
		f.Fields = append(f.Fields, one)
	}
	if hosted.FrameURL != "" {
		f.FrameURL = hosted.FrameURL + "?" + told.Encode()
	}
	f.Props = props.EmbeddedCheckout{
		Fields: demoFields(f.Fields), Script: hosted.Script, JQuery: hosted.JQuery, ReturnURL: back, ReloadPrompt: view.ReloadPrompt,
	}
	return f
}
