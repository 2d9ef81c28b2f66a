package desk

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/privacy"
	view "forecourt/views/desk"
)

// ShowPayments answers GET /desk/{client}/payments?amount=12.50&last=1111&…&before=CURSOR: the payments of a shop, newest first.
func (h *Handler) ShowPayments(w http.ResponseWriter, r *http.Request) error {
	member, query := session.MemberOf(r), web.Query(r)
	search := only(query, "find", "amount", "last", "name", "table", "reference", "from", "to", "show", "method")
	filter, problems := readPaymentFilter(member.Shop, search.Get)
	filter.Test = testPage(r)
	m := view.Payments{
		Frame: Frame(r, "Payments"), Search: search, Problems: problems, Test: filter.Test, Limits: member.May(shop.Own),
	}
	if len(problems) > 0 {
		return web.Render(w, r, http.StatusUnprocessableEntity, view.PaymentsPage(m))
	}
	page, err := h.Books.List(r.Context(), member.Shop, filter, query.Get("before"))
	if err != nil {
		return err
	}
	m.Page, m.Pages = page, pages(r, m.Found(), "before", page.Next)
	return web.Render(w, r, http.StatusOK, view.PaymentsPage(m))
}

// readPaymentFilter reads a search. Days are in the shop's time zone.
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
	if from := given("from"); from != "" {
		day, err := time.ParseInLocation(time.DateOnly, from, one.Zone())
		if f.Since = day; err != nil {
			problems["from"] = view.BadDay
		}
	}
	if to := given("to"); to != "" {
		day, err := time.Parse(time.DateOnly, to)
		if f.Before = clock.EndOf(day, one.Zone()); err != nil {
			problems["to"] = view.BadDay
		} else if f.Before.Before(f.Since) {
			problems["to"] = view.DayBefore
		}
	}
	return f, problems
}

// cardDigits matches the last four digits of a card, with or without dots or stars in place of the others.
var cardDigits = regexp.MustCompile(`^[•·*x. ]*([0-9]{4})$`)

// dayForms are the ways to type a day.
var dayForms = []string{time.DateOnly, "2/1/2006", "2.1.2006", "2 Jan 2006", "2 January 2006"}

// found is the filter for a text that may be an amount, the last four digits of a card, a day, a table, a reference or a name.
func found(one shop.Shop, text string) (f books.PaymentFilter) {
	plain := typed.Plain(text)
	if four := cardDigits.FindStringSubmatch(plain); four != nil {
		return books.PaymentFilter{LastFour: four[1]}
	}
	if minor, err := typed.Amount(plain, one.Currency); err == nil && minor != 0 {
		return books.PaymentFilter{Amount: minor}
	}
	for _, form := range dayForms {
		if day, err := time.ParseInLocation(form, plain, one.Zone()); err == nil {
			return books.PaymentFilter{Since: day, Before: clock.EndOf(day, one.Zone())}
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

// ShowPayment answers GET /desk/{client}/payments/{id} with the history of a payment.
func (h *Handler) ShowPayment(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	c, err := h.Books.Find(r.Context(), member.Shop, chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if member.Watching() {
		c.Receipt = "" // anybody with its address can open it
	}
	erasure, err := h.Privacy.PayerErasure(r.Context(), c.ID)
	if err != nil {
		return err
	}
	m := view.Payment{
		Frame: Frame(r, "Payment"), Case: c, May: member.May(shop.Refund), MayErase: member.May(shop.Edit) && !erasure.Done,
		Erased: erasure.Done, Asked: r.URL.Query().Get("refund"),
	}
	return web.Render(w, r, http.StatusOK, view.PaymentPage(m), view.PaymentFragment)
}

// payment returns the payment that an address names, with its refunds.
func (h *Handler) payment(r *http.Request) (books.Case, error) {
	return h.Books.Payment(r.Context(), session.MemberOf(r).Shop, chi.URLParam(r, "id"))
}

// ShowPayer answers GET /desk/{client}/payments/{id}/payer: it says what is deleted when the payer's details are removed.
func (h *Handler) ShowPayer(w http.ResponseWriter, r *http.Request) error {
	return h.renderPayer(w, r, http.StatusOK, "")
}

// ErasePayer answers POST /desk/{client}/payments/{id}/payer and orders the removal of the payer's details.
func (h *Handler) ErasePayer(w http.ResponseWriter, r *http.Request) error {
	c, err := h.payment(r)
	if err != nil {
		return err
	}
	member := session.MemberOf(r)
	err = h.Privacy.OrderPayer(r.Context(), member.Person, member.Shop.Code, c.ID)
	if errors.Is(err, privacy.ErrMoving) {
		return h.renderPayer(w, r, http.StatusConflict, view.PayerNeeded)
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "payments/"+url.PathEscape(c.ID)+"/payer"))
}

func (h *Handler) renderPayer(w http.ResponseWriter, r *http.Request, status int, notice string) error {
	c, err := h.payment(r)
	if err != nil {
		return err
	}
	stands, err := h.Privacy.PayerErasure(r.Context(), c.ID)
	if err != nil {
		return err
	}
	return web.Render(w, r, status, view.PayerPage(Frame(r, "Remove the payer’s details"), c, stands, notice))
}

// ShowLimits answers GET /desk/{client}/payments/limits: how much each role may refund.
func (h *Handler) ShowLimits(w http.ResponseWriter, r *http.Request) error {
	limits, err := h.Books.RefundLimits(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return err
	}
	given := map[shop.Role]string{}
	for _, role := range books.Refunders() {
		if limit := limits[role]; limit != nil {
			given[role] = money.Format(*limit)
		}
	}
	return renderLimits(w, r, http.StatusOK, given, nil)
}

// ChangeLimits answers POST /desk/{client}/payments/limits. An empty field means no limit, and a missing one is refused.
func (h *Handler) ChangeLimits(w http.ResponseWriter, r *http.Request) error {
	member, set, given, problems := session.MemberOf(r), books.RefundLimits{}, map[shop.Role]string{}, fault.Problems{}
	for _, role := range books.Refunders() {
		if !r.PostForm.Has(string(role)) {
			return fault.New(fault.Invalid, "no limit of the role %s", role)
		}
		given[role] = r.PostForm.Get(string(role))
		minor, err := typed.Amount(given[role], member.Shop.Currency)
		if given[role] != "" && err != nil {
			problems[string(role)] = view.BadAmount
		}
		if set[role] = &minor; given[role] == "" {
			set[role] = nil
		}
	}
	if len(problems) == 0 {
		err := h.Books.SetRefundLimits(r.Context(), member.Person, member.Shop, set)
		if err == nil {
			return web.Redirect(w, r, address(r, "payments/limits")+"?done=saved")
		}
		if !errors.Is(err, books.ErrNoRefundLimit) {
			return err
		}
		problems[""] = view.BadAmount
	}
	return renderLimits(w, r, http.StatusUnprocessableEntity, given, problems)
}

func renderLimits(w http.ResponseWriter, r *http.Request, status int, given map[shop.Role]string, problems fault.Problems) error {
	done := r.Method == http.MethodGet && r.URL.Query().Get("done") == "saved"
	return web.Render(w, r, status, view.LimitsPage(Frame(r, "Refund limits"), session.MemberOf(r).Shop.Currency, given, problems, done))
}
