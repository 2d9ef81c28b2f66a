package demo

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/people/invite"
	"forecourt/static"
	view "forecourt/views/demo"
	"forecourt/views/ui"
)

// private is a secret that somebody typed or sent.
type private struct{ secret.Text }

// UnmarshalText implements encoding.TextUnmarshaler, and with it JSON; it never fails.
func (t *private) UnmarshalText(text []byte) error {
	t.Text = secret.New(string(text))
	return nil
}

// userPlace is a user's place in the list, sent as a number or as a text of digits. index is nil if no place was sent, and -1, which nobody
// has, for anything else.
type userPlace struct{ index *int64 }

// UnmarshalJSON reads 0 and "0" alike (TOKEN-23); it never fails.
func (p *userPlace) UnmarshalJSON(text []byte) error {
	*p = readPlace(strings.Trim(string(text), `"`))
	return nil
}

func readPlace(text string) userPlace {
	if text == "" || text == "null" {
		return userPlace{}
	}
	index, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		index = -1
	}
	return userPlace{&index}
}

// asked holds the values that the form and the call send (TOKEN-21).
type asked struct {
	Email     string    `json:"email"`
	Password  private   `json:"password"`
	SecretKey private   `json:"secretKey"`
	UserIndex userPlace `json:"userIndex"`
}

func readForm(form url.Values) asked {
	return asked{
		Email:     form.Get("email"),
		Password:  private{secret.New(form.Get("password"))},
		SecretKey: private{secret.New(form.Get("secretKey"))},
		UserIndex: readPlace(form.Get("userIndex")),
	}
}

// check returns the problems by field. It never tells whether the values are the right ones (TOKEN-11).
func (a asked) check() fault.Problems {
	problems := fault.Problems{}
	for _, f := range []struct {
		name, value      string
		most             int
		missing, tooLong string
	}{
		{"email", typed.Text(a.Email), 254, "Enter your email", "Use at most 254 characters for an email address"},
		{"secretKey", typed.Text(a.SecretKey.Reveal()), secret.MaxHashed, "Enter the secret key", "That is longer than a secret key is"},
		{"password", a.Password.Reveal(), secret.MaxHashed, "Enter a password", view.PasswordTooLong},
	} {
		switch {
		case f.value == "":
			problems[f.name] = f.missing
		case len(f.value) > f.most:
			problems[f.name] = f.tooLong
		}
	}
	return problems
}

func (h *Tokengen) request(r *http.Request, a asked) invite.Request {
	return invite.Request{
		DocID: docID(r), Email: a.Email, SecretKey: a.SecretKey.Text, Password: a.Password.Text, UserIndex: a.UserIndex.index,
	}
}

// page returns the page of a link that has not been looked up yet.
func (h *Tokengen) page(r *http.Request) view.Tokengen {
	return view.Tokengen{
		Frame: ui.Site{
			Title: "Bearer token", Description: "Turn your invitation into a bearer token.",
			Styles: []string{static.URL("tokengen.css")}, Scripts: []string{static.URL("tokengen.js")},
		},
		URL: "/onboarding/tokengen/" + url.PathEscape(docID(r)), State: view.TokenInvalid,
		Email: ui.Field{
			ID: "email", Name: "email", Label: "Email ID", Type: "email", Autocomplete: "email", InputMode: "email",
			EnterKeyHint: "next", Required: true, Hint: "The address that was invited",
		},
		SecretKey: ui.Field{
			ID: "secretKey", Name: "secretKey", Label: "Secret Key", Type: "password", Autocomplete: "off", EnterKeyHint: "next",
			Required: true, MaxLength: secret.MaxHashed, Hint: "The person who invited you sent it separately from the link",
		},
		Password: ui.Field{
			ID: "password", Name: "password", Label: "Password", Type: "password", Autocomplete: "new-password", EnterKeyHint: "go",
			Required: true, MaxLength: secret.MaxHashed, Hint: "Choose one of your own",
		},
	}
}
