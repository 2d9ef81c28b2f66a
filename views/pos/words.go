package pos

import (
	"strings"

	"forecourt/internal/kit/printable"
	"forecourt/internal/shop/order"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// Preview says that a menu is a draft that guests do not see.
const Preview = "This is a preview of your draft. Guests do not see it yet, and nothing can be ordered here."

// TooManyUnpaid refuses another order from a network with too many unpaid ones.
const TooManyUnpaid = "Too many orders came from your network. Please pay one that is waiting to be paid, or try again later."

// Changed refuses a choice that the menu no longer offers.
const Changed = "The menu has changed since you opened it. Please check your choice."

// NoteHint stands below the label of a note and says what a note is not for.
const NoteHint = "Please also tell the staff about an allergy in person."

// QtyOutOfRange asks for another quantity.
const QtyOutOfRange = "Enter how many you would like, from 1 to 99"

// ChoiceGone says that an option sold out.
func ChoiceGone(name string) string {
	return printable.Isolated(name) + " is sold out. Please choose something else"
}

// SubmitLabel names the button that leads to the payment (POS-20, POS-21).
func SubmitLabel(live bool) string {
	if live {
		return props.ToPayment
	}
	return props.ToTestPayment
}

// PricesChanged says that the total differs from the one shown before.
func PricesChanged(total string) string {
	return "Prices have changed since you opened the menu. The total is now " + total + ". Please check your order and continue."
}

// NothingOpen says that nothing can be ordered at this hour. opens is when, such as "opens at 11:30". In test mode the reader may be the
// owner, who scans a code of their own at night.
func NothingOpen(opens string, live bool) string {
	text := "You can look at the menu, but you cannot order now: it " + strings.Replace(opens, "not on sale", "is not on sale", 1) + "."
	if !live {
		text += " Is this your business? Open your business on this device, then the menu, and you can order at any hour."
	}
	return text
}

// Trying tells a member of the team, who may order outside the hours, what guests see. opens says when the whole menu opens, or is "" if
// some of it is on sale.
func Trying(opens string) string {
	if opens == "" {
		return "You are trying your menu in test mode, so you can order what guests cannot order at this hour."
	}
	return "You are trying your menu in test mode, so you can order now. Guests see that " +
		"it " + strings.Replace(opens, "not on sale", "is not on sale", 1) + "."
}

// NotAvailable names what is no longer available, after the sentences about what is closed at this hour; empty if nothing.
func NotAvailable(names, closed []string) string {
	texts := closed[:len(closed):len(closed)]
	switch len(names) {
	case 0:
	case 1:
		texts = append(texts, printable.List(names)+" is no longer available.")
	default:
		texts = append(texts, printable.List(names)+" are no longer available.")
	}
	switch len(names) + len(closed) {
	case 0:
		return ""
	case 1:
		return strings.Join(texts, " ") + " Please remove it to go on."
	default:
		return strings.Join(texts, " ") + " Please remove them to go on."
	}
}

// Surcharge says what is added to an order today; "" for nothing.
func Surcharge(s order.Surcharge) string {
	switch {
	case s.Rate == 0:
		return ""
	case s.Holiday:
		return s.Day + ": " + s.Percent() + " is added to the order."
	}
	return "On " + s.Day + " " + s.Percent() + " is added to the order."
}

// runningWords says what becomes of an order.
func runningWords(r *order.Running) string {
	if r.Ready {
		return "Your order is ready"
	}
	return "Your order is being made"
}

func runningTone(r *order.Running) ui.Tone {
	if r.Ready {
		return ui.Good
	}
	return ui.Info
}

// Describe returns a sentence about a business's menu that search engines show below its title. tagline may be empty.
func Describe(name, tagline string) string {
	if tagline != "" {
		tagline = ": " + tagline
	}
	return "Order at " + name + tagline + ". See the menu, choose and pay on your phone."
}

// DescribeItem is Describe for the page of an item.
func DescribeItem(item, business string) string {
	return "Order " + item + " at " + business + ". Choose how you like it and pay on your phone."
}
