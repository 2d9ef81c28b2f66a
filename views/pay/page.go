package pay

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"forecourt/db/state"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/payment"
	"forecourt/views/ui"
)

// part is the key of a piece of the page that can be rendered alone.
type part string

// Payment is the part of the page that changes with the payment's state, for templ.RenderFragments.
const Payment part = "payment"

// SuccessSeconds is how long the success view stays before the next one (PAY-35).
const SuccessSeconds = 3

// poll makes the page request its next state. It asks repeatedly, so that it recovers from a lost answer. A morph keeps everything that has
// not changed, and an error page never replaces the payment.
func poll(p Page) templ.Attributes {
	address, seconds := p.URL, p.PollSeconds
	if p.State == Success && p.NextURL != "" {
		address, seconds = p.NextURL, SuccessSeconds
	}
	if seconds <= 0 {
		return nil
	}
	return templ.Attributes{
		"hx-get":        address,
		"hx-trigger":    "every " + strconv.Itoa(seconds) + "s",
		"hx-target":     "#payment",
		"hx-swap":       "outerMorph",
		"hx-status:4xx": "swap:none",
		"hx-status:5xx": "swap:none",
	}
}

// framed returns the page's frame: its header leads back to the menu while the order may still change.
func framed(p Page) ui.Customer {
	f := p.Frame
	f.Merchant.Tagline, f.Test = "", testCards(p)
	if p.State == Form && p.MenuURL != "" {
		f.Back, f.BackName = p.MenuURL, changeOrder(p)
	}
	return f
}

// orderAgain is how loud the way to another order is: it is all that is left to do with one that expired.
func orderAgain(p Page) ui.Kind {
	if over(p.State) {
		return ui.Secondary
	}
	return ui.Primary
}

// liveness returns the aria-live value: off while the form shows, so that screen readers stay quiet while somebody types, and polite for
// every later state.
func liveness(s State) string {
	if s == Form {
		return "off"
	}
	return "polite"
}

// figure is the amount in large type, with its currency beside it.
func figure(p Page) string { return strings.TrimSuffix(p.AmountLabel(), " "+p.Currency) }

// over reports whether nothing more will happen to a paid transaction, so that the summary is its receipt.
func over(s State) bool { return s == Completed || s == Refunded }

func payee(p Page) string {
	switch p.State {
	case Success, Status, Completed, Refunded:
		return "Paid to " + printable.Isolated(p.Merchant.Name)
	default:
		return p.Merchant.Name
	}
}

// changeOrder names the way back to the menu, where an unpaid order is still chosen.
func changeOrder(p Page) string {
	if len(p.Lines) == 0 {
		return "Back to the menu"
	}
	return "Change your order"
}

func expiredTitle(p Page) string {
	switch {
	case p.Unconfirmed:
		return "This payment could not be confirmed"
	case p.Switched:
		return "This cannot be paid just now"
	case p.IsLink() && p.Ended && p.Status == state.Expired:
		return "This link was ended"
	case p.IsLink():
		return "This link is no longer valid"
	}
	return "This order was not paid in time"
}

// sum is what the lines cost. The amount is said above them, and once more below only where it differs.
func sum(lines []payment.Line) (minor int64) {
	for _, l := range lines {
		minor += l.PriceMinor * int64(l.Qty)
	}
	return minor
}

func pieces(lines []payment.Line) string {
	n := 0
	for _, l := range lines {
		n += int(l.Qty)
	}
	if n == 1 {
		return "1 item"
	}
	return strconv.Itoa(n) + " items"
}

// whose returns the name or table that is called out when the order is ready.
func whose(p Page) string {
	if p.TableName != "" {
		return "Table " + printable.Isolated(p.TableName)
	}
	return p.CustomerName
}

func made(l payment.Line) bool { return l.Status == state.LineDone }

// refundedOf says how many of a line were refunded.
func refundedOf(l payment.Line) string {
	if l.Qty == 1 {
		return "refunded"
	}
	return strconv.Itoa(int(l.RefundedQty)) + " of " + strconv.Itoa(int(l.Qty)) + " refunded"
}
