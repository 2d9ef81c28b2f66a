// Package merchant renders onboarding and the dashboard.
package merchant

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"forecourt/static"
	"forecourt/views/account"
	"forecourt/views/layout"
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

func (f Frame) site() layout.Site {
	site := layout.Site{
		Title: f.Title, Description: "Answer a few questions. You get a list of what to build and the credentials for it.",
		Styles: []string{static.URL("merchant.css")}, Scripts: []string{static.URL("merchant.js")},
	}
	if f.Width > 0 {
		site.Styles = append(site.Styles, Path+"/width.css?e="+strconv.Itoa(f.Width))
	}
	return site
}

// Gate asks somebody to sign in or to create an account (ADMIN-05).
type Gate struct {
	Frame  Frame
	Create bool
	To     string // where the person goes afterwards
	Other  string // address of the other of the two forms
	Fields []ui.Field
}

// Welcome asks for the names (ADMIN-07).
type Welcome struct {
	Frame  Frame
	Fields []ui.Field
}

// Ask asks one question.
type Ask struct {
	Frame           Frame
	Question, Back  string
	Answer, Problem string
	Choices         []string
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
	Frame            Frame
	Name, Code, UUID string
	Others           []Other // every merchant of the person; one alone needs no switcher
	Draft            string  // name of a business whose set-up is under way
	Cards            []Card
	Credentials      *Credentials // nil without the API product (ADMIN-29)
	Hosted           *Hosted      // nil without a product that uses the hosted page, or without a hosted page
	Secret           *Secret      // shared by the two; nil without either
	// ProductsURL and CallsURL are the pages of the products and the request log.
	ProductsURL, CallsURL string
	Admins                []Admin
	Invite                ui.Field
	Sent                  bool // an invitation just went out
	// Unverified asks to confirm the address before inviting; nil if it is.
	Unverified   *account.Unverified
	Client, Desk string // addresses of the merchant's menu and desk; empty while it has no shop
	Live         bool   // takes real money
}

// hostedCard returns the product whose card shows what the hosted page needs: the one for shops if it was chosen, or "" for none.
func (m Dashboard) hostedCard() string {
	if m.Hosted == nil {
		return ""
	}
	for _, c := range m.Cards {
		if c.Code == "ecom" {
			return c.Code
		}
	}
	return "api"
}

// Other is a merchant in the switcher.
type Other struct {
	Name, URL string
	Current   bool
}

// Card is a product that was chosen.
type Card struct {
	Code, Name string
	Options    []string
}

// Credentials are the test credentials (ADMIN-32).
type Credentials struct {
	AccountID, StoreID, DeviceID, URL string
	Curl                              string
	Signed                            string // the text from which the key in Curl is made, without the secret
}

// Hosted holds what the hosted payment page needs from a shop.
type Hosted struct{ MerchantID, PublicKey, URL string }

// Secret signs payments.
type Secret struct {
	Mark string // its last four characters
	Text string // empty while hidden
	Lost bool   // no key opens it, so that only a new one helps
	// OldMark is the last four characters of the previous secret, OldUntil is until when that still works; both are empty if there is none.
	OldMark, OldUntil string
	Problem           string // why no new one was made; empty for none
}

// Log is the page of the calls to the test gateway.
type Log struct {
	Frame           Frame
	Name, Back, URL string
	Calls           []Call
}

// Call is a call in the request log. Amount and Reference are empty if the body has none.
type Call struct {
	At, Machine, Method, Path, Body, Note, Amount, Reference string
	Status                                                   int
}

// Admin is somebody who runs the merchant, or whose invitation is open until a day.
type Admin struct{ Email, Name, Until string }

// Join is an invitation to run a merchant.
type Join struct {
	Frame                Frame
	Merchant, Email, You string
	URL                  string // of the dashboard, for who accepted it
}
