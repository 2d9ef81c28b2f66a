package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/internal/fault"
	"forecourt/internal/printable"
	"forecourt/internal/shop"
	"forecourt/internal/shop/shopstore"
)

// Member is the person who asks for a page of a shop, with their role in it.
type Member struct {
	Shop   shop.Shop
	Role   shop.Role
	Person shop.Person
}

// May reports whether the member has a right.
func (m Member) May(right shop.Right) bool { return m.Role.May(right) }

type memberKey struct{}

// MemberOf returns the member that Teams.Require let through.
func MemberOf(r *http.Request) Member {
	m, _ := r.Context().Value(memberKey{}).(Member)
	return m
}

// Teams guards the pages of the shop that an address names.
type Teams struct {
	shops    *shopstore.Shops
	sessions *Sessions
}

// NewTeams returns the guard of shops.
func NewTeams(shops *shopstore.Shops, sessions *Sessions) *Teams { return &Teams{shops, sessions} }

// Require lets through the members of a team whose role has the right. It answers 403 to the other members and 404 to everybody
// else.
func (t *Teams) Require(right shop.Right) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return t.sessions.Require(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			t.sessions.answer(func(w http.ResponseWriter, r *http.Request) error {
				m, err := t.member(r)
				if err != nil {
					return err
				}
				if !m.May(right) {
					return shop.ErrRole
				}
				next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), memberKey{}, m)))
				return nil
			})(w, r)
		}))
	}
}

// Still reports whether the member that Require let through still has the right. Answers that take long ask again.
func (t *Teams) Still(r *http.Request, right shop.Right) (bool, error) {
	m, err := t.member(r)
	if fault.CodeOf(err) == fault.NotFound {
		return false, nil
	}
	return m.May(right), err
}

func (t *Teams) member(r *http.Request) (Member, error) {
	code := chi.URLParam(r, "client")
	if !printable.Line(code, 63) {
		return Member{}, fault.New(fault.NotFound, "no shop can have this code")
	}
	person, _ := Signed(r)
	one, role, err := t.shops.Enter(r.Context(), code, person.ID)
	return Member{one, role, shop.Person{ID: person.ID, Email: person.Email}}, err
}
