package desk

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowPayments answers GET /desk/{client}/payments?amount=12.50&last=1111&…&before=CURSOR: the payments of a shop, newest first.
func (h *Handler) ShowPayments(w http.ResponseWriter, r *http.Request) error {
	member, query := session.MemberOf(r), web.Query(r)
	search := only(query, "find", "amount", "last", "name", "table", "reference", "from", "to", "show", "method")
	filter, problems := readPaymentFilter(member.Shop, search.Get)
	filter.Test = testPage(r)
	m := view.Payments{
		Frame: Frame(r, "Payments"), Search: search, Problems: problems, Test: filter.Test, Limits: member.May(shop.Own), Hidden: hidden(member),
	}
	if len(problems) > 0 {
		return web.Render(w, r, http.StatusUnprocessableEntity, view.PaymentsPage(m))
	}
	if m.Hidden && filter.Number == 0 && filter.Amount == 0 && filter.LastFour == "" && filter.Reference == "" {
		return web.Render(w, r, http.StatusOK, view.PaymentsPage(m)) // any other list would show what was taken
	}
	page, err := h.Books.List(r.Context(), member.Shop, filter, query.Get("before"))
	if err != nil {
		return err
	}
	m.Page, m.Pages = page, pages(r, m.Found(), "before", page.Next)
	return web.Render(w, r, http.StatusOK, view.PaymentsPage(m))
}

// readPaymentFilter reads a search. Days are those of the shop.
func readPaymentFilter(one shop.Shop, given func(field string) string) (f books.PaymentFilter, problems fault.Problems) {
	problems = fault.Problems{}
	f = found(one, given("find"))
	own := books.PaymentFilter{
		Name: given("name"), Table: given("table"), Reference: given("reference"), LastFour: typed.Digits(given("last")), Show: given("show"),
		Method: state.Method(given("method")),
	}
	f.Name, f.Table, f.Reference = cmp.Or(own.Name, f.Name), cmp.Or(own.Table, f.Table), cmp.Or(own.Reference, f.Reference)
	f.LastFour, f.Show, f.Method = cmp.Or(own.LastFour, f.LastFour), own.Show, own.Method
	if amount := given("amount"); amount != "" {
		minor, err := typed.Amount(amount, one.Currency)
		if f.Amount, f.Number = minor, 0; err != nil || minor == 0 {
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
	if from := given("from"); from != "" {
		day, err := time.Parse(time.DateOnly, from)
		if f.Since = one.DayBegins(day); err != nil {
			problems["from"] = view.BadDay
		}
	}
	if to := given("to"); to != "" {
		day, err := time.Parse(time.DateOnly, to)
		if f.Before = one.DayBegins(day.AddDate(0, 0, 1)); err != nil {
			problems["to"] = view.BadDay
		} else if f.Before.Before(f.Since) {
			problems["to"] = view.DayBefore
		}
	}
	return f, problems
}

// cardDigits matches the last four digits of a card, with or without dots or stars in place of the others.
var cardDigits = regexp.MustCompile(`^[•·*x. ]*([0-9]{4})$`)

// orderNo matches the number of an order.
var orderNo = regexp.MustCompile(`^(?i:no\.? ?|#)?([0-9]{1,6})$`)

// dayForms are the ways to type a day.
var dayForms = []string{time.DateOnly, "2/1/2006", "2.1.2006", "2 Jan 2006", "2 January 2006"}

// found is the filter for a text that may be an amount, the number of an order of today, the last four digits of a card, a day, a table, a
// reference or a name.
func found(one shop.Shop, text string) (f books.PaymentFilter) {
	plain := typed.Plain(text)
	if four := cardDigits.FindStringSubmatch(plain); four != nil {
		return books.PaymentFilter{LastFour: four[1]}
	}
	if no := orderNo.FindStringSubmatch(plain); no != nil {
		number, _ := strconv.ParseInt(no[1], 10, 32) // at most six digits
		f.Number = int32(number)
	}
	if minor, err := typed.Amount(plain, one.Currency); err == nil && minor != 0 {
		f.Amount = minor
	}
	if f.Amount != 0 || f.Number != 0 {
		return f
	}
	for _, form := range dayForms {
		if day, err := time.Parse(form, plain); err == nil {
			return books.PaymentFilter{Since: one.DayBegins(day), Before: one.DayBegins(day.AddDate(0, 0, 1))}
		}
	}
	if len(plain) > 6 && strings.EqualFold(plain[:6], "table ") {
		return books.PaymentFilter{Table: strings.TrimSpace(plain[6:])}
	}
	if strings.ContainsAny(plain, "0123456789") && !strings.Contains(plain, " ") {
		return books.PaymentFilter{Reference: plain}
	}
	return books.PaymentFilter{Name: plain}
}
