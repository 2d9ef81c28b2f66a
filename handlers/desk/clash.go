package desk

import (
	"net/http"
	"time"

	"forecourt/handlers/session"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

// clashOf says what somebody else has made of a part of the menu, beside what was typed. after is the draft with what was typed.
func clashOf[T any](r *http.Request, c *menu.Conflict[T], kind string, id int64, after *menu.Menu) *view.Clash {
	shown := &view.Clash{By: person(r, c.By), At: view.When(c.At, session.MemberOf(r).Shop.TimeZone), Gone: c.Theirs == nil}
	for _, change := range menu.Compare(&c.Draft, after, session.MemberOf(r).Shop.Currency) {
		if change.Kind == kind && change.ID == id {
			shown.Rows = append(shown.Rows, change.Fields...)
		}
	}
	return shown
}

// person names a member of the team by the address of the account: it may be the reader, in another window.
func person(r *http.Request, email string) string {
	switch email {
	case "":
		return "Somebody"
	case session.MemberOf(r).Person.Email:
		return "You yourself, in another window,"
	}
	return email
}

// notRemoved says why a part of the menu was not removed.
func notRemoved(r *http.Request, by string, at time.Time, what string) string {
	return person(r, by) + " changed this " + what + " on " + view.When(at, session.MemberOf(r).Shop.TimeZone) +
		", so it was not removed. Below you see how it is now."
}
