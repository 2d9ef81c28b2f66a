package desk

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/shop"
	"forecourt/views/receipt"
	"forecourt/views/ui"
)

// Payments is a page of the list of payments.
type Payments struct {
	Frame    ui.Desk
	Search   url.Values // what was typed, without empty fields and without the mode
	Problems fault.Problems
	Page     books.Page
	Pages    Pages
	Test     bool // the list is of test payments
	Limits   bool // the member may change the refund limits
	Hidden   bool // the takings, from the reader, who finds single payments
}

// These are the problems.
const (
	BadAmount   = "Enter an amount like 12.50, with a point for the cents"
	BadLastFour = "Enter the last four digits of the card"
	BadDay      = "Enter a day like 2027-01-31"
	DayBefore   = "Enter the first day or a later one"
)

// PaymentShows are the lists to choose from, and PaymentMethods the methods; "" is all.
var (
	PaymentShows = []string{
		books.AllPayments, books.PaidPayments, books.RefundedPayments, books.DeclinedPayments, books.OpenPayments, books.DisputedPayments,
	}
	PaymentMethods = []state.Method{"", state.Card, state.ApplePay, state.GooglePay}
	// PaymentTabs are the lists that stand above the payments.
	PaymentTabs = []string{
		books.AllPayments, books.PaidPayments, books.RefundedPayments, books.DisputedPayments, books.DeclinedPayments,
	}
)

var (
	showNames = map[string]string{
		books.AllPayments: "Any", books.PaidPayments: "Paid", books.RefundedPayments: "Refunded", books.DeclinedPayments: "Declined",
		books.OpenPayments: "Not finished", books.DisputedPayments: "Disputed",
	}
	methodNames = map[state.Method]string{"": "Any", state.Card: "Card", state.ApplePay: "Apple Pay", state.GooglePay: "Google Pay"}
)

// Found returns the address of the list with the search.
func (m Payments) Found() string { return m.Frame.In(m.found(), m.Test) }

// found is the page of the list with the search, in either mode.
func (m Payments) found() string {
	if len(m.Search) == 0 {
		return "payments"
	}
	return "payments?" + m.Search.Encode()
}

// only is the address of the list with another state.
func (m Payments) only(show string) string {
	other := m
	other.Search = maps.Clone(m.Search)
	other.Search.Del("show")
	if show != books.AllPayments {
		other.Search.Set("show", show)
	}
	return other.Found()
}

// finds names what the reader may search by.
func (m Payments) finds() string {
	if m.Hidden {
		return "Amount, last four digits, number or id"
	}
	return "Amount, last four digits, name or day"
}

// nothingFound is the heading where the takings are hidden and no payment is shown.
func (m Payments) nothingFound() string {
	if m.searched() {
		return "No matching payments"
	}
	return "Find a payment"
}

func tabNames(show string) string {
	if show == books.AllPayments {
		return "All"
	}
	return showNames[show]
}

// filtered reports whether one of the fields that are folded has something.
func (m Payments) filtered() bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(m.Search)), func(name string) bool { return name != "find" && name != "show" })
}

// searched reports whether the list lacks some payments.
func (m Payments) searched() bool { return len(m.Search) > 0 || m.Pages.Further }

// fields are the text fields of the search.
func (m Payments) fields() []ui.Field {
	list := []ui.Field{
		{Name: "amount", Label: "Amount", InputMode: "decimal"},
		{Name: "last", Label: "Last four digits", InputMode: "numeric", MaxLength: 4},
		{Name: "from", Label: "From day", Type: "date"},
		{Name: "to", Label: "To day", Type: "date"},
		{Name: "name", Label: "Name", MaxLength: 64},
		{Name: "table", Label: "Table", MaxLength: 64},
		{Name: "reference", Label: "Reference or id", MaxLength: 64},
	}
	for i, f := range list {
		f.Value, f.Autocomplete = m.Search.Get(f.Name), "off"
		list[i] = ui.Fields(m.Problems).Of(f)
	}
	return list
}

func (m Payments) choices() []ui.Choice {
	show := ui.Choice{Field: ui.Field{ID: "show", Name: "show", Label: "State"}}
	method := ui.Choice{Field: ui.Field{ID: "method", Name: "method", Label: "Paid with"}}
	for _, one := range PaymentShows {
		show.Options = append(show.Options, ui.Option{Value: one, Label: showNames[one], Chosen: one == m.Search.Get("show")})
	}
	for _, one := range PaymentMethods {
		chosen := string(one) == m.Search.Get("method")
		method.Options = append(method.Options, ui.Option{Value: string(one), Label: methodNames[one], Chosen: chosen})
	}
	return []ui.Choice{show, method}
}

// further says how far back the list looked.
func (m Payments) further() string {
	return "Searched back to " + moment(m.Page.Looked) + "."
}

// Sum says how many payments of the day that begins with the nth of the page were paid and what they come to; "" if none was, if they are
// in several currencies, or if the page has only a part of the day or of its payments.
func (m Payments) Sum(nth int) string {
	day := m.Page.List[nth:]
	if end := slices.IndexFunc(day, func(p books.Payment) bool { return !shop.DateOf(p.At).Equal(shop.DateOf(day[0].At)) }); end >= 0 {
		day = day[:end]
	} else if m.Pages.Next != "" {
		return ""
	}
	if len(m.Search) > 0 || nth == 0 && m.Pages.Further {
		return ""
	}
	paid, sum := 0, int64(0)
	for _, p := range day {
		if p.Currency != day[0].Currency {
			return ""
		}
		if p.State.Paid() {
			paid, sum = paid+1, sum+p.Amount
		}
	}
	if paid == 0 {
		return ""
	}
	return strconv.Itoa(paid) + " paid · " + money.Label(sum, day[0].Currency)
}

// paymentStates are the words of a state and the look of its pill.
var paymentStates = map[books.PaymentState]struct {
	name string
	tone ui.Tone
}{
	books.PaymentPaid: {"Paid", ui.Good}, books.PaymentPart: {"Partly refunded", ""}, books.PaymentBack: {"Refunded", ""},
	books.PaymentDeclined: {"Declined", ""}, books.PaymentOpen: {"Under way", ""}, books.PaymentManual: {"Under review", ui.Warning},
	books.PaymentDisputed: {"Disputed", ui.Warning}, books.PaymentNew: {"Not paid yet", ""},
}

func paidWith(p books.Payment) string { return receipt.CardText(p.Method, p.Brand, p.LastFour) }

// whose says who paid: "No. 12 · Table 4 · Ann".
func whose(p books.Payment) string {
	parts := []string{}
	if p.No != nil {
		parts = append(parts, order.Number(p.No))
	}
	if p.Link {
		parts = append(parts, "Pay link")
		for _, part := range []string{p.Reference, p.Description} {
			if part != "" {
				parts = append(parts, printable.Isolated(part))
			}
		}
	}
	if p.Table != "" {
		parts = append(parts, "Table "+printable.Isolated(p.Table))
	}
	switch {
	case p.Guest != "":
		parts = append(parts, printable.Isolated(p.Guest))
	case p.Payer != "":
		parts = append(parts, printable.Isolated(p.Payer))
	}
	if len(parts) == 0 {
		return "Order"
	}
	return strings.Join(parts, " · ")
}

func paymentAmount(p books.Payment) string { return money.Label(p.Amount, p.Currency) }

// listDay returns the day of a moment as the heading of what happened then.
func listDay(t time.Time) string { return t.Format("Monday 2 January 2006") }

func zoneName(t time.Time) string { return clock.Name(t, t.Location()) }
