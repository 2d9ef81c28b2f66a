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
		Frame: frame(r, "Closings"), List: list, Test: test, May: member.May(shop.Books) && test != member.Shop.Live,
		Day: member.Shop.TradingDay(time.Now()), Pages: view.Pages{First: address(r, "closings"), Further: before > 0},
	}
	mode := ""
	if test && member.Shop.Live {
		mode = "mode=test"
		m.Pages.First += "?" + mode
	}
	if more {
		m.Pages.Next = address(r, "closings?before=") + strconv.Itoa(list[len(list)-1].Number)
		if mode != "" {
			m.Pages.Next += "&" + mode
		}
	}
	if len(list) > 0 && !m.Pages.Further {
		m.Last = &list[0]
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
