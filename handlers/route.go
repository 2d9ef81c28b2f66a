package handlers

import (
	"net/http"
	"slices"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/run/picture"
	"forecourt/internal/shop/shop"
)

// Who is the set of people that a route admits. The router asks people to sign in for Guest, Self, Own, Record, Staff and those who need a
// right in a shop (see rights), and refuses people who are not staff, are not on the team of the shop in the address, or lack the right
// there. Staff may read most pages of a desk (see watched). The handler checks everything else. Until they have a second step, staff and
// owners of live businesses pass only Self. TestWhoGetsWhatFromEachRoute and TestWhatEachRoleMayDo try every route.
type Who string

// These are the values of Who.
const (
	Anyone     Who = "anyone"                          // the same for everybody, or only about the caller's own session
	Link       Who = "who has the link"                // its id cannot be guessed, and exists in one business only
	Guest      Who = "who has the link, signed in"     // others see the sign-in screen
	Holder     Who = "holders of a business's token"   // the credentials are in the request
	Asked      Who = "anyone who signs in when asked"  // the handler itself asks others to sign in
	Self       Who = "whoever is signed in"            // even before they set up the second step that they need
	Own        Who = "the account of the session"      // others see the sign-in screen
	Record     Who = "admins of that record"           // others get the answer for an unknown address
	Team       Who = "the team of that shop"           // every role may look
	Takings    Who = "who may see that shop's takings" // every role; the shop may hide them from floor staff
	Crew       Who = "the team without accountants"    // who see the day, too
	Kitchen    Who = "the kitchen of that shop"        // owner, manager, floor, and a kitchen screen without an account
	Editor     Who = "owners and managers of that shop"
	Hirer      Who = "who may hire for that shop"            // owners and managers
	Refunder   Who = "who may make refunds in that shop"     // owner, manager and floor, up to their limit
	Closer     Who = "who may close the day of that shop"    // owners and managers
	Bookkeeper Who = "who may export the books of that shop" // owners, managers and accountants
	Owner      Who = "owners of that shop"
	Staff      Who = "staff"                             // the provider's; forecourt user staff makes them
	InDemo     Who = "anyone, in demo mode"              // does not exist otherwise
	Nobody     Who = "nobody: it only keeps a name free" // always 404
)

// rights are the rights that a member of a team needs for a route. internal/shop/shop says which roles have them.
var rights = map[Who]shop.Right{
	Team: shop.Look, Takings: shop.Takings, Crew: shop.Day, Kitchen: shop.Kitchen, Editor: shop.Edit, Hirer: shop.Hire,
	Refunder: shop.Refund, Closer: shop.Close, Bookkeeper: shop.Books, Owner: shop.Own,
}

// These are the limits of bodies, in bytes. Zero means that the route takes no body.
const (
	tap    = 4 << 10             // a button with its key
	fields = 16 << 10            // a form or a call of a few fields
	reason = 32 << 10            // a decision with a note, in any encoding of a form
	long   = 64 << 10            // a form with a quantity for each line of a long menu, or a step of an application
	table  = 8 << 20             // a batch
	upload = picture.MaxTogether // pictures: one of picture.MaxBytes, or several that are smaller
	free   = -1                  // the handler limits the body
)

// These are the values of Cache-Control. A handler may forbid what its row allows.
const (
	noStore    = "no-store"
	revalidate = "private, no-cache" // the back button shows a page at once
	public     = "no-cache"          // proxies may keep it and ask whether it has changed
	hour       = "private, max-age=3600"
	byHandler  = "" // the handler sets the header, if any
)

// Route is a row of the map. A row with a nil handler is not served.
type Route struct {
	Method, Path string // "": every method
	Handler      http.HandlerFunc
	Who          Who
	Body         int64  // limit of a request's body in bytes; see above
	Cache        string // Cache-Control
}

// listed reports whether search engines may list the route: its page is the same for everybody and permanent.
func (r Route) listed() bool { return r.Who == Anyone && r.Cache != noStore }

// grows reports whether what an answer costs grows with a menu or a table, so that it is made in turn: all below these but streams
// and payments, which take their time for other reasons. The menu that guests see is here only as a form, since its page may be kept ready.
func (r Route) grows() bool {
	at := func(prefix string) bool { return strings.HasPrefix(r.Path, prefix) }
	switch {
	case strings.HasSuffix(r.Path, "/events"), at("/pos/{client}/{id}"), at("/pos/{client}/demo"), at("/api/pos/{client}/{id}"):
		return false
	case r.Path == "/pos/{client}":
		return r.Method != http.MethodGet
	}
	return at("/pos/{client}") || at("/api/pos") || at("/desk/{client}/menu") || at("/api/batch") || at("/desk/{client}/links/many") ||
		at("/receipt/verify")
}

// staff returns what staff may do at a route of a shop: they may only read the pages of the desk that are in watched.
func (r Route) staff() session.StaffAccess {
	switch {
	case !strings.HasPrefix(r.Path, "/desk/"):
		return session.StaffHidden
	case r.Method == http.MethodGet && slices.Contains(watched, strings.TrimPrefix(r.Path, "/desk/{client}")):
		return session.StaffRead
	}
	return session.StaffRefused
}

// watched lists the pages of a desk, by their address below it, that staff may read. It leaves out pay links, which anybody who knows their
// address can open, files, the form of a refund, the page that changes a member, and pages that cannot show that staff are looking.
var watched = []string{
	"", "/today", "/payments", "/payments/limits", "/payments/{id}", "/payouts", "/payouts/owed", "/payouts/account",
	"/payouts/{id}", "/payouts/{id}/invoice", "/disputes", "/disputes/{id}", "/closings", "/closings/{no}", "/sold",
	"/live", "/shop", "/surcharges", "/menu", "/menu/category/{id}", "/menu/item/{id}",
	"/menu/group/{id}", "/menu/publish", "/menu/versions", "/menu/soldout",
	"/menu/import", "/screens", "/team", "/team/access", "/tables", "/tables/code", "/tables/code.svg", "/tables/code.png",
}

// group is a part of the map.
type group struct {
	session bool                            // the router loads the session, since pages show who is signed in
	first   func(http.Handler) http.Handler // before anybody is asked to sign in; nil: nothing
	routes  []Route
}

// form reads a form post into r.PostForm before the handler.
func form(next web.HandlerFunc) web.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := web.ParseForm(r); err != nil {
			return err
		}
		return next(w, r)
	}
}
