package desk

import (
	"net/http"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowSold answers GET /desk/{client}/sold?from=2027-01-01&to=2027-01-07&mode=test: what was sold; without days, in the last seven.
func (h *Handler) ShowSold(w http.ResponseWriter, r *http.Request) error {
	member, now := session.MemberOf(r), time.Now()
	m := view.Sold{
		Frame: Frame(r, "Items sold"), Test: testPage(r), Currency: member.Shop.Currency, Today: member.Shop.TradingDay(now),
		Typed: only(web.Query(r), "from", "to"), Problems: fault.Problems{}, Export: member.May(shop.Books),
	}
	if len(m.Typed) == 0 {
		m.Typed = m.Last(7)
	}
	var wrongFirst, wrongLast bool
	m.First, wrongFirst = typedDay(m.Typed.Get("from"))
	m.Until, wrongLast = typedDay(m.Typed.Get("to"))
	switch {
	case wrongFirst:
		m.Problems["from"] = view.BadDay
	case wrongLast:
		m.Problems["to"] = view.BadDay
	case m.Until.Before(m.First):
		m.Problems["to"] = view.DayBefore
	case m.Days() > books.MostSoldDays:
		m.Problems["to"] = view.ManyDays
	}
	if len(m.Problems) > 0 {
		return web.Render(w, r, http.StatusUnprocessableEntity, view.SoldPage(m))
	}
	rows, err := h.Books.Sold(r.Context(), member.Shop, m.Test, m.First, m.Until, now)
	if err != nil {
		return err
	}
	m.Rows = rows
	return web.Render(w, r, http.StatusOK, view.SoldPage(m))
}
