package pay

import (
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	view "forecourt/views/pay"
	"forecourt/views/props"
)

// emptyForm returns the card form of a transaction before any post.
func emptyForm(t *payment.Transaction, key string) view.CardForm {
	f := view.BlankCard(t.TestMode)
	f.Key, f.PayLabel = key, "Pay "+money.Label(t.AmountMinor, t.Currency)
	f.Props = props.CardForm{
		Shop: t.Shop.Code, TrxID: t.ID, PageURL: address(t.Shop.Code, t.ID), Key: key, PayLabel: f.PayLabel,
		Currency: t.Currency, TestMode: t.TestMode, Problems: view.Problems(),
	}
	return f
}
