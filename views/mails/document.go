package mails

import (
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/receipt"
	view "forecourt/views/receipt"
)

// Document returns a receipt as its letters and its page show it.
func Document(r receipt.Receipt) view.Document {
	d := view.Document{
		Heading: "Receipt", Business: r.Business, ABN: r.ABN, Amount: money.Label(r.Amount, r.Currency),
		Paid: clock.Text(r.Paid, r.Paid.Location()), PaidAt: r.Paid.Format(time.RFC3339), Description: r.Description,
		Test: r.Test,
	}
	switch {
	case r.GST > 0:
		d.Heading, d.Tax = "Tax invoice", "Total price includes GST of "+money.Label(r.GST, r.Currency)+"."
	case r.ABN != "":
		d.Tax = "No GST was charged."
	}
	if r.Refunded > 0 {
		d.Refunded = money.Label(r.Refunded, r.Currency)
	}
	for _, line := range r.Lines {
		d.Lines = append(d.Lines, view.Line{
			Name: line.Name, Options: line.Options, Qty: line.Qty, Amount: money.Label(line.Each*int64(line.Qty), r.Currency),
		})
	}
	for _, fact := range []view.Fact{
		{Name: "Paid with", Value: view.CardText(r.Method, r.CardBrand, r.CardLastFour)},
		{Name: "Paid by", Value: r.CustomerName}, {Name: "Table", Value: r.Table}, {Name: "Order for", Value: r.Name},
		{Name: "Reference", Value: r.Reference}, {Name: "On your statement", Value: r.Descriptor},
		{Name: "Transaction", Value: r.TransactionID}, {Name: "Payment number", Value: r.GatewayID},
		{Name: "Gateway reference", Value: r.GatewayReference}, {Name: "Bank reference", Value: r.BankTransactionNo},
	} {
		if fact.Value != "" {
			d.Facts = append(d.Facts, fact)
		}
	}
	return d
}
