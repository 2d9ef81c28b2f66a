// Package account renders the screen that signs in or creates an account, and the pages about an account.
package account

import (
	"net/url"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/kit/clock"
	"forecourt/internal/people/account"
	"forecourt/static"
	"forecourt/views/ui"
)

// Panel is the fragment that htmx swaps: the content of these pages.
const Panel = "account-panel"

// Form is what the forms of these pages have.
type Form struct {
	Email  string // whose account it is about, where that is known
	Notice string // a problem that belongs to no field
	Fields []ui.Field
}

// Screen is the sign-in screen, or the one that creates an account. It has empty fields if it has none.
type Screen struct {
	Form

	To     string // where the person goes next, an address of this site
	Create bool
	Kept   time.Duration // how long the submitted form is kept until sign-in; 0 if it is not kept
	Reset  bool          // a new password was just chosen
}

// Profile is what people can change about their own account.
type Profile struct {
	Email    string
	Done     string // what was just changed: "name", "password", "end" or "screens"
	Notice   string // a problem with the password that belongs to no field
	Name     ui.Field
	Password []ui.Field
	Devices  []account.Device
	Screens  []account.Screen // kitchen screens that the person connected
	Here     uuid.UUID        // the handle of this browser
	Zone     *time.Location   // of the person
	TwoStep  account.TwoStep
	Verify   *Unverified // nil if the address is verified
}

func (m Screen) fields() []ui.Field {
	if m.Fields != nil {
		return m.Fields
	}
	if m.Create {
		return SignUpFields("")
	}
	return SignInFields("")
}

func (m Screen) title() string {
	if m.Create {
		return "Create an account"
	}
	return "Sign in"
}

func (m Screen) action() string {
	if m.Create {
		return "/signup"
	}
	return "/signin"
}

// other returns the address of the other screen, which leads on to the same place.
func other(m Screen, path string) string {
	if m.To == "" || m.To == "/" {
		return path
	}
	return path + "?" + url.Values{"to": {m.To}}.Encode()
}

func (m Profile) done() string {
	return map[string]string{
		"name": "Your name is saved.", "password": "Your password is changed. Every other browser is signed out.",
		"end":     "That browser is signed out.",
		"screens": "Those kitchen screens are disconnected.",
	}[m.Done]
}

// screenSeen says when a kitchen screen was last used.
func screenSeen(screen account.Screen, zone *time.Location) string {
	if screen.SeenAt == nil {
		return ", not opened yet"
	}
	return ", last used " + clock.Text(*screen.SeenAt, zone)
}

func frame(title string) ui.Site {
	return ui.Site{
		Own: true, Title: title, Description: title + ": for businesses that take orders and payments here, and for their teams.",
		Scripts: []string{static.URL("account.js")},
	}
}
