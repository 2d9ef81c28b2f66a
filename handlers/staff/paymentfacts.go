package staff

import (
	"cmp"

	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	"forecourt/views/receipt"
	view "forecourt/views/staff"
)

func paymentFacts(a *payment.Case) []view.Fact {
	facts := []view.Fact{
		{Name: "Amount", Value: money.Label(a.AmountMinor, a.Currency) + mode(a.TestMode)},
		{Name: "Paid with", Value: receipt.CardText(a.Method, a.CardBrand, a.CardLastFour)},
		{Name: "Transaction", Value: a.TransactionID},
		{Name: "Attempt", Value: a.ID.String()},
	}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, view.Fact{Name: name, Value: value})
		}
	}
	if a.ToldMinor != nil {
		named := money.Label(*a.ToldMinor, cmp.Or(a.ToldCurrency, a.Currency))
		if a.ToldCurrency != "" && a.ToldCurrency != a.Currency {
			named += ". Another currency cannot be accepted, only refunded in full."
		}
		add("The gateway named", named)
	}
	if a.CapturedMinor != nil {
		add("Captured", money.Label(*a.CapturedMinor, a.Currency))
	}
	if a.Transactionid != nil {
		add("At the gateway", *a.Transactionid)
	}
	add("Code", a.Code)
	if a.Gateway != nil {
		add("Gateway", *a.Gateway)
	}
	add("The business’s reference", a.ClientRef)
	add("Description", a.Description)
	if a.SettledAt != nil {
		add("Ended", view.When(*a.SettledAt))
	}
	return facts
}
