package session

import (
	"net/http"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/shop/order"
)

const previewFor = 12 * time.Hour

// Preview remembers in a cookie that a browser belongs to a member of a shop's team, who may try the menu in test mode at any hour. Guests'
// pages load no session, so they need this cookie. It is not signed: whoever makes one up can place a test order at night, and nothing is
// charged.
type Preview struct {
	HTTPS bool // whether the site's public address uses it
}

const previewCookie = "forecourt-trial"

// Begin notes that the browser tries the menu of a shop.
func (t Preview) Begin(w http.ResponseWriter, shop string) {
	web.SetCookie(w, t.HTTPS, previewCookie, shop, previewFor)
}

// Of reports whether the browser tries the menu of a shop.
func (t Preview) Of(r *http.Request, shop string) bool {
	return shop != "" && web.Cookie(r, t.HTTPS, previewCookie) == shop
}

// Menu returns the menu as the browser may order from it.
func (t Preview) Menu(r *http.Request, menu *order.Menu) *order.Menu {
	if t.Of(r, menu.Shop.Code) {
		return menu.AtAnyHour()
	}
	return menu
}
