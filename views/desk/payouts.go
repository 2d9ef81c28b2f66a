package desk

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/shop/books"
	"forecourt/views/ui"
)

// movements are the kinds of movements in the order of a payout's page.
var movements = []state.Movement{
	state.MovedCharge, state.MovedRefund, state.MovedTaken, state.MovedReturn, state.MovedUnknown, state.MovedAgain,
}

var movementNames = map[state.Movement]struct{ one, many string }{
	state.MovedCharge:  {"Payment", "Payments"},
	state.MovedRefund:  {"Refund", "Refunds"},
	state.MovedTaken:   {"Disputed payment", "Disputed payments"},
	state.MovedReturn:  {"Dispute that you won", "Disputes that you won"},
	state.MovedUnknown: {"Not known here", "Not known here"},
	state.MovedAgain:   {"In an earlier payout, too", "In earlier payouts, too"},
}

func dayOf(t time.Time) string { return clock.Day(t, t.Location()) }

// sumLine is a line of the sum of a payout, or of what is owed.
type sumLine struct{ name, amount string }

// sumLines returns the lines for the sums in a currency.
func sumLines(sums []books.PayoutSum, currency string) (list []sumLine) {
	for _, kind := range movements {
		for _, s := range sums {
			if s.Kind == kind && s.Count > 0 && s.Currency == currency {
				list = append(list, sumLine{movementNames[kind].many + " (" + strconv.Itoa(s.Count) + ")", money.Label(s.Amount, currency)})
			}
		}
	}
	return list
}

// others lists the currencies of sums besides one.
func others(sums []books.PayoutSum, currency string) (list []string) {
	for _, s := range sums {
		if s.Currency != currency && !slices.Contains(list, s.Currency) {
			list = append(list, s.Currency)
		}
	}
	return list
}

// payoutSum lists how a payout adds up. A dispute may be in another currency; the gateway states its amount in the payout.
func payoutSum(p books.Payout) []sumLine {
	list := append(sumLines(p.Sums, p.Currency), sumLine{"Together", money.Label(p.GrossMinor, p.Currency)},
		sumLine{"Fees", money.Label(-p.FeesMinor, p.Currency)},
		sumLine{"Paid to your account", money.Label(p.NetMinor, p.Currency)})
	for _, other := range others(p.Sums, p.Currency) {
		list = append(list, sumLines(p.Sums, other)...)
	}
	return list
}

// taxInvoice is the name of an invoice that shows the GST in fees.
const taxInvoice = "Tax invoice for the fees"

// invoiceName names the invoice for the fees of a payout. It is a tax invoice if the provider has an ABN and charges those fees in
// Australian dollars.
func invoiceName(p books.Payout, fees settlement.Fees, abn string) string {
	if abn == "" || !fees.Set() || p.Currency != money.DefaultCurrency || p.TestMode {
		return "Fee statement"
	}
	return taxInvoice
}

func invoiceNumber(p books.Payout) string { return "F-" + strconv.FormatInt(p.Number, 10) }

// invoiceSum lists the fees of a payout; for a tax invoice with the GST in them, an eleventh.
func invoiceSum(p books.Payout, name string) []sumLine {
	payments := 0
	for _, s := range p.Sums {
		if s.Kind == state.MovedCharge {
			payments += s.Count
		}
	}
	total := sumLine{"Fees for " + ui.Count(payments, "payment"), money.Label(p.FeesMinor, p.Currency)}
	if name != taxInvoice {
		return []sumLine{total}
	}
	gst := (p.FeesMinor + 5) / 11
	return []sumLine{
		{total.name + ", without GST", money.Label(p.FeesMinor-gst, p.Currency)}, {"GST", money.Label(gst, p.Currency)},
		{"Total, including GST", total.amount},
	}
}

// feesNote compares what a payout deducts with the fees of its day.
func feesNote(p books.Payout) string {
	if *p.RatedMinor == p.FeesMinor {
		return "The fees are as agreed."
	}
	return "Your fees come to " + money.Label(*p.RatedMinor, p.Currency) + ". The payout deducts " + money.Label(p.FeesMinor, p.Currency) + "."
}

// owedSums lists what is owed in each currency.
func owedSums(o books.Owed) (tables [][]sumLine) {
	for _, total := range o.Totals() {
		tables = append(tables, append(sumLines(o.Sums, total.Currency), sumLine{
			"Total, before fees", money.Label(total.Minor, total.Currency),
		}))
	}
	return tables
}

// zoneOf names the time zone of a list; "" where no time is known.
func zoneOf(lines []books.PayoutLine) string {
	for _, l := range lines {
		if !l.At.IsZero() {
			return zoneName(l.At)
		}
	}
	return ""
}

// debt reports whether the business owes money in every currency in which any is owed.
func debt(o books.Owed) bool {
	totals := o.Totals()
	return len(totals) > 0 && !slices.ContainsFunc(totals, func(m books.Money) bool { return m.Minor >= 0 })
}

// owedTitle heads what is owed.
func owedTitle(o books.Owed) string {
	if debt(o) {
		return "You owe"
	}
	return "Owed to you"
}

// owedTotals lists what is owed in each currency, or zero in the business's own if nothing is.
func owedTotals(o books.Owed, own string) (list []string) {
	for _, total := range o.Totals() {
		switch {
		case total.Minor >= 0:
			list = append(list, money.Label(total.Minor, total.Currency))
		case debt(o):
			list = append(list, money.Label(-total.Minor, total.Currency))
		default:
			list = append(list, "You owe "+money.Label(-total.Minor, total.Currency))
		}
	}
	if len(list) == 0 {
		list = []string{money.Label(0, own)}
	}
	return list
}

// owedText says in a sentence what is owed.
func owedText(o books.Owed) string {
	switch {
	case !o.Known:
		return "There is no news of payouts yet. What you are owed appears here once there is."
	case o.Since().IsZero():
		return "Everything that was settled is in a payout."
	case debt(o):
		return "Refunds and disputes since " + dayOf(o.Since()) + " come to more than the payments. It will be taken from your next payouts."
	default:
		return "Before fees, from payments since " + dayOf(o.Since()) + " that are in no payout yet."
	}
}

// madeOf says what makes up a payout in the list.
func madeOf(p books.Payout) string {
	if p.FeesMinor == 0 {
		return "No fees"
	}
	return money.Label(p.GrossMinor, p.Currency) + " less " + money.Label(p.FeesMinor, p.Currency) + " fees"
}

func disputeAmount(d books.Dispute) string { return money.Label(d.AmountMinor, d.Currency) }

// disputeName returns the words of a dispute's pill, and its look.
func disputeName(d books.Dispute) (name string, tone ui.Tone) {
	switch d.State {
	case state.DisputeWon:
		return "Won", ui.Good
	case state.DisputeLost:
		return "Lost", ""
	default:
		return "Open", ui.Warning
	}
}

// deadline says when an open dispute has to be answered, by the clock of the business.
func deadline(d books.Dispute, now time.Time) string {
	switch {
	case d.DueAt == nil:
		return "The bank gave no deadline. Answer as soon as you can."
	case now.After(*d.DueAt):
		return "The deadline was " + moment(*d.DueAt) + ". The bank now decides by the evidence that it has."
	default:
		return "Answer by " + moment(*d.DueAt) + "."
	}
}

// outcome says how a dispute ended.
func outcome(d books.Dispute) string {
	if d.State == state.DisputeWon {
		return "The bank decided for you on " + dayOf(*d.EndedAt) + ". The money is yours."
	}
	return "The bank decided for the cardholder on " + dayOf(*d.EndedAt) + ". The money is taken from one of your payouts."
}

// RefundedTwice is what to do about refunds of a payment that is disputed afterwards.
const RefundedTwice = "Answer with it as evidence, otherwise the money goes back twice."

// RefundsBefore says what was refunded of a disputed payment; "" if nothing was. Whoever answers the bank needs each refund's day and name.
func RefundsBefore(refunds []books.Refunded) string {
	var each []string
	var sum int64
	currency := ""
	for _, r := range refunds {
		sum, currency = sum+r.AmountMinor, strings.TrimSpace(r.Currency)
		each = append(each, money.Label(r.AmountMinor, currency)+" on "+dayOf(r.SettledAt)+" (refund "+r.Name+")")
	}
	if len(each) == 0 {
		return ""
	}
	return "You have refunded " + money.Label(sum, currency) + " of this payment: " + strings.Join(each, ", ") + "."
}

// answerTo returns the address that opens a mail to support with the dispute as its subject.
func answerTo(support string, d books.Dispute) string {
	return "mailto:" + support + "?subject=" + url.PathEscape("Dispute about payment "+d.TransactionID)
}

// movementURL leads to the payment of a movement, "" if we do not know it.
func movementURL(f ui.Desk, l books.PayoutLine) string {
	if l.Payment == "" {
		return ""
	}
	return PaymentURL(f, l.Payment)
}

func movementName(l books.PayoutLine) string {
	name := movementNames[l.Kind].one
	if !l.At.IsZero() {
		name += ", " + shortly(l.At, time.Now())
	}
	return name
}

// shortly returns a time for a list: "22 Nov, 3:12 pm", with the year if it is not this one.
func shortly(t, now time.Time) string {
	if t.Year() == now.Year() {
		return t.Format("2 Jan, 3:04\u00a0pm")
	}
	return t.Format("2 Jan 2006, 3:04\u00a0pm")
}
