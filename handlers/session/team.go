package session

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/shop"
	view "forecourt/views/pos"
)

// Member is the person who requests a page of a shop, with their role there, or a kitchen screen, which is not a person.
type Member struct {
	Shop   shop.Shop
	Role   shop.Role
	Person shop.Person
}

// May reports whether the member has a right in the shop.
func (m Member) May(right shop.Right) bool { return m.Shop.Lets(m.Role, right) }

type memberKey struct{}

// Watching reports whether the member is one of the staff, who may only look.
func (m Member) Watching() bool { return m.Role == shop.Staff }

// MemberOf returns the member that Teams.Require let through.
func MemberOf(r *http.Request) Member {
	m, _ := r.Context().Value(memberKey{}).(Member)
	m.Person.Proof = Who(r).Proof // which may have been given since
	return m
}

// Teams guards the pages of the shop in an address.
type Teams struct {
	shops    *shop.Shops
	sessions *Sessions
}

// NewTeams returns the guard of shops.
func NewTeams(shops *shop.Shops, sessions *Sessions) *Teams { return &Teams{shops, sessions} }

// StaffAccess says what the provider's staff may do at a route for a shop's team.
type StaffAccess int

// These are the ways to treat staff who are not on the team.
const (
	StaffHidden  StaffAccess = iota // 404, as for strangers
	StaffRefused                    // 403
	StaffRead                       // they may read, and the audit log records it
)

// Require lets through the members of a team whose role has the right, the kitchen screens of the shop if they have it, and staff as far as
// staff says. It answers 403 to the other members and to staff who are refused, and 404 to everybody else.
func (t *Teams) Require(right shop.Right, staff StaffAccess) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		gate := t.sessions.Require(http.NotFoundHandler())
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			t.sessions.Answer(func(w http.ResponseWriter, r *http.Request) error {
				m, err := t.enter(r, right, staff)
				switch {
				case errors.Is(err, errNobody):
					gate.ServeHTTP(w, r)
					return nil
				case errors.Is(err, shop.ErrScreenEnded):
					w.Header().Set("Cache-Control", "no-store")
					return web.Render(w, r, http.StatusForbidden, view.Ended())
				case errors.Is(err, shop.ErrRole):
					t.sessions.Note(r, RoleRefused, m.Person.ID.String(), m.Shop.Code)
					return err
				case err != nil:
					return err
				}
				// After signing out, the back button must not show what is behind a sign-in.
				w.Header().Set("Cache-Control", "no-store")
				next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), memberKey{}, m)))
				return nil
			})(w, r)
		})
	}
}

// Touch keeps the session alive while a page is open. It reports whether the member whom Require let through still has the right, and when
// that ends in any case: never, the zero time, for a kitchen screen, which works until the team ends it.
func (t *Teams) Touch(r *http.Request, right shop.Right) (ends time.Time, still bool, err error) {
	m, err := t.enter(r, right, StaffHidden)
	if code := fault.CodeOf(err); code == fault.NotFound || code == fault.Forbidden {
		return ends, false, nil
	}
	if err != nil || m.Role == shop.KitchenScreen {
		return ends, true, err
	}
	ends, err = t.sessions.Touch(r)
	return ends, err != nil || !ends.IsZero(), err
}

// errNobody means that a request has no session and does not come from a kitchen screen.
var errNobody = fault.New(fault.Forbidden, "nobody is signed in")

// enter returns the member who sends a request, a person or a kitchen screen, if the role has the right, or one of the staff.
func (t *Teams) enter(r *http.Request, right shop.Right, staff StaffAccess) (m Member, err error) {
	code := chi.URLParam(r, "client")
	person, signed := Signed(r)
	switch {
	case !signed:
		err = errNobody
	case !printable.Line(code, 63):
		return m, fault.New(fault.NotFound, "not a code of a shop")
	default:
		one, role, missing := t.shops.Enter(r.Context(), code, person.ID)
		m, err = Member{Shop: one, Role: role, Person: Who(r)}, missing
		switch {
		case err == nil && !m.May(right):
			err = shop.ErrRole
		case errors.Is(err, shop.ErrMissing) && person.Staff && staff != StaffHidden:
			return t.look(r, code, m.Person, staff)
		}
	}
	if err == nil || !shop.KitchenScreen.May(right) || !printable.Line(code, 63) {
		return m, err
	}
	one, asked := t.screen(r, code)
	if errors.Is(asked, shop.ErrMissing) {
		return m, err
	}
	return Member{Shop: one, Role: shop.KitchenScreen}, asked
}

// screen returns the shop of the kitchen screen that sends a request. Errors: shop.ErrMissing, shop.ErrScreenEnded.
func (t *Teams) screen(r *http.Request, code string) (one shop.Shop, err error) {
	value := web.Cookie(r, t.sessions.HTTPS, screenCookie)
	if value == "" {
		return one, shop.ErrMissing
	}
	if !web.Safe(r.Method) && !web.FromPage(r) {
		return one, fault.New(fault.Forbidden, "a write with a cookie and without an origin")
	}
	return t.shops.EnterScreen(r.Context(), code, value)
}

// look lets one of the staff read a page of any shop's desk, after the audit log has recorded it.
func (t *Teams) look(r *http.Request, code string, by shop.Person, staff StaffAccess) (m Member, err error) {
	m = Member{Role: shop.Staff, Person: by}
	if m.Shop, err = t.shops.Find(r.Context(), code); err != nil {
		return m, err
	}
	if staff != StaffRead || !web.Safe(r.Method) {
		return m, shop.ErrRole
	}
	page := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/desk/"+code), "/")
	return m, t.shops.Looked(r.Context(), by.Email, code, typed.OneLine(page, 200))
}
