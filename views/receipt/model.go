// Package receipt renders the receipt of a payment and the page that checks one.
package receipt

import (
	"slices"

	"forecourt/internal/kit/money"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/shop/order"
	"forecourt/views/ui"
)

// Heading returns what a receipt is: with GST it is a tax invoice.
func Heading(r receipt.Receipt) string {
	if r.GST > 0 {
		return "Tax invoice"
	}
	return "Receipt"
}

// Tax returns a sentence about GST; "" if there is none to say.
func Tax(r receipt.Receipt) string {
	switch {
	case r.GST > 0:
		return "Total price includes GST of " + money.Label(r.GST, r.Currency) + "."
	case r.ABN != "":
		return "No GST was charged."
	}
	return ""
}

// Fact is a named value.
type Fact struct{ Name, Value string }

// Facts lists what else a receipt states.
func Facts(r receipt.Receipt) []Fact { return append(shown(r), references(r)...) }

// shown are the facts that a payer looks for.
func shown(r receipt.Receipt) []Fact {
	return known(
		Fact{Name: "Paid with", Value: CardText(r.Method, r.CardBrand, r.CardLastFour)},
		Fact{Name: "Paid by", Value: r.CustomerName}, Fact{Name: "Order", Value: order.Number(r.OrderNo)}, Fact{Name: "Table", Value: r.Table},
		Fact{Name: "Order for", Value: r.Name},
		Fact{Name: "Reference", Value: r.Reference}, Fact{Name: "On your statement", Value: r.Descriptor},
	)
}

// references are for whoever has to find the payment again. The page folds them.
func references(r receipt.Receipt) []Fact {
	return known(
		Fact{Name: "Transaction", Value: r.TransactionID}, Fact{Name: "Payment number", Value: r.GatewayID},
		Fact{Name: "Gateway reference", Value: r.GatewayReference}, Fact{Name: "Bank reference", Value: r.BankTransactionNo},
	)
}

func known(facts ...Fact) []Fact {
	return slices.DeleteFunc(facts, func(f Fact) bool { return f.Value == "" })
}

// Difference is what was paid beside the lines, because a person accepted another amount than was asked for; "" if there is none.
func Difference(r receipt.Receipt) string {
	if r.Amount == r.Asked {
		return ""
	}
	return money.Label(r.Amount-r.Asked, r.Currency)
}

// Page is the page of one receipt, to keep and to print.
type Page struct {
	receipt.Receipt

	Frame    ui.Customer
	Path     string // of this page
	CheckURL string // whole address, which the code carries
	Again    []Again
	Ask      ui.Field // for an address, while Again has none
	Sent     string   // masked address that a copy was just sent to; empty for none
	Notice   string   // why no copy was sent; empty when nothing is wrong
}

// Again is a button that sends the receipt to an address once more.
type Again struct {
	Role    string
	Address string // masked
}

// Check is the page that checks a receipt.
type Check struct {
	Frame  ui.Site
	Code   ui.Field
	File   ui.Field // for what is in the file of a closing
	Result *Result  // nil until something was checked
}

// Result is what a check found.
type Result struct {
	Holds   bool
	Closing bool // a close of day, not a receipt
	Test    bool
	Facts   []Fact // what the text says, whether or not it was signed
}

// KeyPath is the address of the public key.
const KeyPath = "/receipt/key.pem"

// Path is the page of the receipt with a token.
func Path(token string) string { return "/receipt/" + token }

// CheckPath is the page that checks a receipt.
const CheckPath = "/receipt/verify"
