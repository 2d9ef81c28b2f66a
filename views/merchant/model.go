// Package merchant renders onboarding and the dashboard.
package merchant

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/merchant"
	"forecourt/static"
	"forecourt/views/account"
	"forecourt/views/ui"
)

// Path is the address of onboarding and dashboard.
const Path = "/merchant/admin"

// SecretFragment is the fragment that htmx swaps when somebody reveals the terminal secret.
const SecretFragment = "terminal-secret"

// Frame holds what these pages share.
type Frame struct {
	Title string
	// Width is the largest width of the page inside a frame, in pixels; 0 outside of frames (ADMIN-02).
	Width int
	// Merchant and KeyURL are sent to an allowed parent page; empty without a merchant.
	Merchant, KeyURL string
	Origins          string // which may receive Merchant and its key, separated by spaces
	// Nav leads through the dashboard; nil for a step, which stands alone.
	Nav []ui.Tab
	// Info is kept in the browser under "info"; nil keeps nothing.
	Info *Info
}

// Info is the sign-up information that a browser keeps, without any password (ADMIN-40).
type Info struct {
	FirstName     string            `json:"firstName"`
	LastName      string            `json:"lastName"`
	Name          string            `json:"name"`
	ShortCode     string            `json:"shortCode"`
	Email         string            `json:"email"`
	Products      []string          `json:"products"`
	Answers       map[string]string `json:"answers"`
	SignIn        bool              `json:"signIn"`
	ShowPass      bool              `json:"showPass"`
	BasicInfoDone bool              `json:"basicInfoDone"`
	Error         string            `json:"error"`
}

// Address returns the address of the page with a query. It keeps the frame's width.
func (f Frame) Address(query ...string) string {
	return address(f.Width, query)
}

func address(width int, query []string) string {
	q := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	if width > 0 {
		q.Set("e", strconv.Itoa(width))
	}
	if len(q) == 0 {
		return Path
	}
	return Path + "?" + q.Encode()
}

// Below returns the address of a page below this one. It keeps the frame's width.
func (f Frame) Below(part ...string) string {
	path := Path
	for _, p := range part {
		path += "/" + url.PathEscape(p)
	}
	if f.Width > 0 {
		path += "?e=" + strconv.Itoa(f.Width)
	}
	return path
}

// action is the address of a form below the page.
func (f Frame) action(part ...string) templ.SafeURL { return templ.SafeURL(f.Below(part...)) }

// away returns the target of links to other pages, which do not open inside the frame.
func (f Frame) away() string {
	if f.Width > 0 {
		return "_top"
	}
	return "_self"
}

func (f Frame) site() ui.Site {
	site := ui.Site{
		Own: f.Width == 0, Title: f.Title, Description: "Answer a few questions. You get a list of what to build and the credentials for it.",
		Styles: []string{static.URL("merchant.css")}, Scripts: []string{static.URL("merchant.js")},
		Nav: append([]ui.Tab{}, f.Nav...), NavLabel: "Dashboard",
	}
	if f.Width > 0 {
		site.Styles = append(site.Styles, Path+"/width.css?e="+strconv.Itoa(f.Width))
	}
	return site
}

// Gate asks somebody to sign in or to create an account (ADMIN-05).
type Gate struct {
	Frame  Frame
	Framed bool // in a frame, as far as the browser tells, and not in the frame's own window
	Create bool
	To     string // where the person goes afterwards
	Window string // address of a frame's own window
	Other  string // address of the other of the two forms
	Fields []ui.Field
}

// Ask asks one question.
type Ask struct {
	Frame                 Frame
	Question              merchant.Question
	Back, Answer, Problem string
}

// Offer lists every product, with those ticked that are recommended (ADMIN-11) or chosen.
type Offer struct {
	Frame              Frame
	Name, Back, Action string
	Change             bool // of a merchant that is there
	Products           []Option
	Problem            string
}

// Option is a product that can be ticked.
type Option struct {
	Code, Name          string
	Ticked, Recommended bool
	Options             []Choice
}

// Choice is a part of a product that can be ticked.
type Choice struct {
	Name   string
	Ticked bool
}

// Dashboard shows a merchant and what to build.
type Dashboard struct {
	Frame          Frame
	One            merchant.Merchant
	Mine           []merchant.Merchant // every merchant of the person
	Draft          string              // name of a business whose set-up is under way
	Live           bool                // takes real money
	Done, Steps    int                 // of the checklist that leads there; 0 for a person who is not on the team
	Admins         []merchant.Admin
	Email, Problem string              // as typed for an invitation, and what is wrong with it
	Sent           bool                // an invitation just went out
	Unverified     *account.Unverified // asks to confirm the address before inviting; nil if it is
	Secret         *Secret             // shared by the two that follow; nil without either
	Revealed       secret.Text         // the secret, if it is shown
	Unsure         string              // why no new secret was made; empty for none
	Credentials    *Credentials        // nil without the API product (ADMIN-29)
	HostedURL      string              // of the hosted page; "" without it or without a product that uses it
}

// ID is the merchant's id in addresses.
func (m Dashboard) ID() string { return m.One.UUID.String() }

// nav leads through the dashboard, and to the person's others. log is true on the request log.
func (m Dashboard) nav(log bool) (all []ui.Tab) {
	for _, one := range m.Mine {
		t := ui.Tab{Link: ui.Link{Name: one.Name, URL: m.Frame.Address("m", one.UUID.String())}}
		if one.UUID == m.One.UUID {
			page := ""
			if log {
				page = t.URL
			}
			t.Here = !log
			if one.Has(merchant.APICode) {
				t.Below = []ui.Link{{Name: "Test credentials", URL: page + "#credentials"}, {Name: "Request log", URL: m.Frame.Below(m.ID(), "calls")}}
			}
			t.Below = append(t.Below, ui.Link{Name: "Products", URL: page + "#products"}, ui.Link{Name: "Team", URL: page + "#admins"})
		}
		all = append(all, t)
	}
	add := "Add a business"
	if m.Draft != "" {
		add = "Continue setting up " + m.Draft
	}
	return append(all, ui.Tab{Link: ui.Link{Name: add, URL: m.Frame.Address("step", "welcome")}})
}

// invite asks for the address of somebody to invite.
func (m Dashboard) invite() ui.Field {
	return ui.Field{
		ID: "email", Name: "email", Label: "Invite somebody to this dashboard by email",
		Type: "email", Autocomplete: "off", Value: m.Email, Problem: m.Problem,
	}
}

// hostedCard returns the product whose card shows what the hosted page needs: the one for shops if it was chosen, or "" for none.
func (m Dashboard) hostedCard() string {
	switch {
	case m.HostedURL == "":
		return ""
	case m.One.Has(merchant.ShopCode):
		return merchant.ShopCode
	}
	return merchant.APICode
}

// Credentials are what opens the test gateway beside the secret (ADMIN-32).
type Credentials struct {
	URL, Curl string
	Signed    string // the text from which the key in Curl is made, without the secret
}

// Secret signs payments.
type Secret struct {
	Mark    string // its last four characters
	Text    string // empty while hidden
	Lost    bool   // no key opens it, so that only a new one helps
	OldMark string // the last four characters of the previous secret; empty if there is none
}

// Log is the page of the calls to the test gateway.
type Log struct {
	Dashboard
	Calls []merchant.Call
}
