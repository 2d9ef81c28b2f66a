package books

import (
	"context"
	"net/url"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
)

// RefundWish says how much of a payment somebody wants to refund.
type RefundWish struct {
	How    string      // Whole, ByLine or ByAmount
	Qty    map[int]int // how many of each line, by its number
	Amount int64       // minor units
}

// The ways to say how much.
const (
	Whole    = "whole" // all that is left
	ByLine   = "lines"
	ByAmount = "amount"
)

// MaxReason is how long the reason of a refund may be, in characters.
const MaxReason = 500

// Plan works out the amount to refund, in minor units, and the lines that it is for. Problems are those of "how" and "amount".
func (c Case) Plan(wish RefundWish) (minor int64, lines []PaidLine, problems fault.Problems) {
	problems = fault.Problems{}
	switch wish.How {
	case Whole:
		minor = c.Left()
	case ByLine:
		for _, line := range c.Lines {
			n := wish.Qty[line.No]
			if n < 0 || n > line.Left() {
				problems["how"] = "Choose no more than are left to refund"
				continue
			}
			if n > 0 {
				line.Qty = n
				minor += line.Each * int64(n)
				lines = append(lines, line)
			}
		}
	case ByAmount:
		minor = wish.Amount
	}
	field := "how"
	if wish.How == ByAmount {
		field = "amount"
	}
	switch {
	case len(problems) > 0:
	case minor <= 0:
		problems[field] = "Choose what to refund"
	case minor > c.Left():
		problems[field] = "Enter no more than is left to refund"
	}
	return minor, lines, problems
}

// CheckReason tidies the reason of a refund and says what is wrong with it; "" is nothing.
func CheckReason(reason *string) (wrong string) {
	return typed.TidyLines(reason, MaxReason, "reason", "Enter a reason")
}

// ErrAsked means that an owner was asked for a refund of the payment already and has not answered.
var ErrAsked = fault.New(fault.Conflict, "An owner was already asked about this payment.")

// Asked reports whether an owner was asked for a refund and has not answered.
func (c Case) Asked() bool { return c.Ask.TransactionID != "" && c.Ask.RefusedBy == "" }

// AskOwner tells the owners that a member wants a refund that they may not make. form has how much and which lines. Errors:
// shop.ErrMissing, shop.ErrRole, ErrAsked.
func (b *Books) AskOwner(ctx context.Context, by shop.Person, one shop.Shop, p Payment, minor int64, form url.Values, reason string) error {
	return b.shops.Change(ctx, by, one.Code, shop.Refund, func(tx pgx.Tx) (shop.Change, error) {
		queries := b.queries.WithTx(tx)
		rows, err := queries.RefundAskPut(ctx, db.RefundAskPutParams{
			TransactionID: p.ID, ShopCode: one.Code, AskedBy: by.Email, AmountMinor: minor, Reason: reason, Form: form.Encode(),
		})
		switch {
		case err != nil:
			return shop.Change{}, err
		case rows == 0:
			return shop.Change{}, ErrAsked
		}
		return shop.Change{Action: "owner asked for refund", Detail: p.ID + " " + money.Label(minor, p.Currency)},
			queries.ShopEventAdd(ctx, db.ShopEventAddParams{
				Kind: state.EventRefundAsked, About: uuid.NewString(), AmountMinor: &minor, TransactionID: p.ID,
			})
	})
}

// RefuseAsk is an owner's no to a refund that somebody asked for. Without one it does nothing. Errors: shop.ErrMissing, shop.ErrRole.
func (b *Books) RefuseAsk(ctx context.Context, by shop.Person, one shop.Shop, p Payment) error {
	return b.shops.Change(ctx, by, one.Code, shop.Own, func(tx pgx.Tx) (shop.Change, error) {
		rows, err := b.queries.WithTx(tx).RefundAskRefuse(ctx, by.Email, p.ID, one.Code)
		if err != nil || rows == 0 {
			return shop.Change{}, err
		}
		return shop.Change{Action: "asked refund refused", Detail: p.ID}, nil
	})
}

// Refundable reports whether the state of the payment allows a refund now.
func (c Case) Refundable() bool {
	return c.Captured > 0 && c.Left() > 0 && !c.Undecided && !c.Closed && !c.InQuestion && !c.BankHolds()
}

// RefundsSilent reports whether the payer gets no letter about one more refund of a payment, because they got so many within a day.
func (b *Books) RefundsSilent(ctx context.Context, p Payment) (bool, error) {
	if p.Test { // where other limits count
		return false, nil
	}
	sent, err := b.queries.MailRefundsOf(ctx, p.ID)
	return sent >= mail.MostRefunds, err
}
