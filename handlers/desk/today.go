package desk

import (
	"net/http"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowToday answers GET /desk/{client}/today with the shop's day so far. The first page of the desk shows the same and refreshes it from
// here.
func (h *Handler) ShowToday(w http.ResponseWriter, r *http.Request) error {
	m, err := h.today(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.TodayPage(m), view.TodayFragment)
}

// today returns the day of the shop of a request.
func (h *Handler) today(r *http.Request) (m view.Today, err error) {
	member := session.MemberOf(r)
	day, err := h.Books.Today(r.Context(), member.Shop, testPage(r), time.Now())
	if err != nil {
		return m, err
	}
	hours, err := h.Shops.HoursOf(r.Context(), member.Shop)
	m = view.Today{Frame: Frame(r, "Today"), Day: day, Hours: hours, Hidden: hidden(member)}
	if member.May(shop.Kitchen) {
		m.KitchenURL = "/pos/" + member.Shop.Code + "/kitchen"
	}
	return m, err
}
