package desk

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowPayments answers GET /desk/{client}/payments?amount=12.50&last=1111&…&before=CURSOR: the payments of a shop, newest first.
func (h *Handler) ShowPayments(w http.ResponseWriter, r *http.Request) error {
	member, query := session.MemberOf(r), r.URL.Query()
	typed := view.PaymentSearch{}
	for name, field := range typed.Fields() {
		*field = oneLine(query.Get(name))
	}
	filter, problems := readPaymentFilter(member.Shop, typed)
	m := view.Payments{
		Frame: frame(r, "Payments"), Search: typed, Problems: problems, Test: filter.Test, Limits: member.May(shop.Own),
	}
	m.Pages = view.Pages{First: typed.Address(m.Frame), Further: query.Has("before")}
	if len(problems) > 0 {
		return web.Render(w, r, http.StatusUnprocessableEntity, view.PaymentsPage(m))
	}
	page, err := h.Books.List(r.Context(), member.Shop, filter, books.ReadCursor(query.Get("before")))
	if err != nil {
		return err
	}
	m.List, m.Looked = page.List, page.Looked
	if page.More {
		m.Pages.Next = m.Pages.First + "&before=" + page.Next.String()
	}
	return web.Render(w, r, http.StatusOK, view.PaymentsPage(m))
}

// readPaymentFilter reads a search. Days are in the shop's time zone.
func readPaymentFilter(one shop.Shop, typed view.PaymentSearch) (f books.PaymentFilter, problems fault.Problems) {
	problems = fault.Problems{}
	f = books.PaymentFilter{
		Test: !one.Live || typed.Mode == "test", Name: typed.Name, Table: typed.Table,
		Reference: typed.Reference, LastFour: typed.Last, Show: typed.Show,
		Method: state.Method(typed.Method),
	}
	if typed.Amount != "" {
		minor, err := money.Typed(typed.Amount, one.Currency)
		if f.Amount = minor; err != nil || minor == 0 {
			problems["amount"] = view.BadAmount
		}
	}
	if f.LastFour != "" && (len(f.LastFour) != 4 || strings.Trim(f.LastFour, "0123456789") != "") {
		problems["last"] = view.BadLastFour
	}
	if !slices.Contains(view.PaymentShows, f.Show) {
		f.Show = books.AllPayments
	}
	if !slices.Contains(view.PaymentMethods, f.Method) {
		f.Method = ""
	}
	if typed.From != "" {
		day, err := time.ParseInLocation(time.DateOnly, typed.From, one.Zone())
		if f.Since = day; err != nil {
			problems["from"] = view.BadDay
		}
	}
	if typed.To != "" {
		day, err := time.Parse(time.DateOnly, typed.To)
		if f.Before = clock.EndOf(day, one.Zone()); err != nil {
			problems["to"] = view.BadDay
		} else if f.Before.Before(f.Since) {
			problems["to"] = view.DayBefore
		}
	}
	return f, problems
}
