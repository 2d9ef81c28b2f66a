package demo

import (
	"forecourt/views/ui"
)

// TokenState is what the page shows once the link was checked.
type TokenState string

// The states of the page. Before them, where scripts run, it says that it is checking.
const (
	TokenInvalid TokenState = "invalid" // the link cannot be used; there is no form
	TokenForm    TokenState = "form"
	TokenDone    TokenState = "done" // the token is there
)

// Tokengen is the token page of one link.
type Tokengen struct {
	Frame ui.Site
	URL   string // the page's own address
	State TokenState
	// Checking says that the link is being checked, until the page has asked again for what it shows.
	Checking bool
	// Message says why the link cannot be used, or why the form made no token.
	Message string
	// Again offers to try once more, where that may help without another link.
	Again bool

	UserIndex                  string // the user's place in the list
	Email, SecretKey, Password ui.Field

	Token    string // shown this once
	BatchURL string // the address that accepts the token
}

// part is the key of a piece of the page that can be rendered alone.
type part string

// TokenSection is the part of the page that changes, for templ.RenderFragments.
const TokenSection part = "tokengen"

// fields are those of the form, in the order they are shown.
func (p Tokengen) fields() []ui.Field { return []ui.Field{p.Email, p.SecretKey, p.Password} }
