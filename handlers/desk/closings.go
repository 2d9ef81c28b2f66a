package desk

import (
	"net/http"
	"strconv"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowClosings answers GET /desk/{client}/closings?before=NUMBER&mode=test: the closings of a shop, newest first.
func (h *Handler) ShowClosings(w http.ResponseWriter, r *http.Request) error {
	member, query := session.MemberOf(r), r.URL.Query()
	test := h.testBooks(r, query.Get("mode"))
	before, _ := strconv.Atoi(query.Get("before"))
	list, more, err := h.Books.Closings(r.Context(), member.Shop, test, before)
	if err != nil {
		return err
	}
	m := view.Closings{
		Frame: frame(r, "Closings"), URL: address(r, "closings"), List: list, Further: before > 0, Test: test, Live: member.Shop.Live,
		May: member.May(shop.Books) && test != member.Shop.Live, Day: member.Shop.TradingDay(time.Now()),
	}
	if more {
		m.Next = m.URL + "?before=" + strconv.Itoa(list[len(list)-1].Number)
		if test && m.Live {
			m.Next += "&mode=test"
		}
	}
	if m.First = m.URL; test && m.Live {
		m.First += "?mode=test"
	}
	if len(list) > 0 && before <= 0 {
		m.Since = view.ClosingAt(list[0].Until)
		if test != m.Live && !list[0].Day.Before(m.Day) {
			m.Day, m.Closed = list[0].Day, m.URL+"/"+view.ClosingID(list[0])
		}
	}
	return web.Render(w, r, http.StatusOK, view.ClosingsPage(m))
}

// CloseDay answers POST /desk/{client}/closings: it closes the day, once.
func (h *Handler) CloseDay(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	c, made, err := h.Books.Close(r.Context(), member.Person, member.Shop)
	if err != nil {
		return err
	}
	done := "already"
	if made {
		done = "closed"
	}
	return web.Redirect(w, r, address(r, "closings/"+view.ClosingID(c))+"?done="+done)
}
