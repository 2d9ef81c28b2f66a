package books

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	"forecourt/internal/shop/shop"
)

// RefundRequest is a refund that somebody confirmed.
type RefundRequest struct {
	ID     uuid.UUID // the form's: however often it is sent, it makes one refund
	Amount int64     // minor units, as the preview said
	Lines  []PaidLine
	Reason string
	Seen   int64 // what the preview counted as refunded
	Proved bool  // the person has recently proved who they are
}

// Refund refunds a payment of a shop, by the rules of payment.Refund. Errors: those of payment.Refund, shop.ErrMissing,
// shop.ErrRole, shop.ErrRefundLimit, shop.ErrUnproved.
func (t *Trade) Refund(ctx context.Context, by shop.Person, one shop.Shop, id string, asked RefundRequest) (db.Refund, error) {
	whole := payment.RefundRequest{
		TransactionID: id, Client: one.Code, Amount: asked.Amount, By: by.Email, Reason: asked.Reason, ID: asked.ID, Seen: &asked.Seen,
		Again: true, // the preview listed the earlier refunds, and Seen is still right if there were none since
		May: func(ctx context.Context, tx pgx.Tx, claimed db.Refund) error {
			return may(ctx, tx, by, one, claimed, asked.Proved)
		},
	}
	for _, line := range asked.Lines {
		whole.Lines = append(whole.Lines, payment.RefundLine{No: line.No, Qty: line.Qty})
	}
	return t.payments.Refund(ctx, whole)
}

// may decides whether somebody may refund what was just claimed, and notes it in the log of the shop. Above the limit of
// managers, an owner also has to prove who they are.
func may(ctx context.Context, tx pgx.Tx, by shop.Person, one shop.Shop, claimed db.Refund, proved bool) error {
	queries := db.New(tx)
	role, err := queries.ShopMemberLock(ctx, one.Code, by.ID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return shop.ErrMissing
	case err != nil:
		return err
	case !shop.Role(role).May(shop.Refund):
		return shop.ErrRole
	}
	limits, err := refundLimitsOf(ctx, queries, one.Code)
	if err != nil {
		return err
	}
	total, err := queries.RefundedBy(ctx, claimed.TransactionID, by.Email)
	if err != nil {
		return err
	}
	if !limits.Of(shop.Role(role)).For(claimed.Currency, one.Currency).Allows(total) {
		return shop.ErrRefundLimit
	}
	if !limits.Of(shop.Manager).For(claimed.Currency, one.Currency).Allows(total) {
		if !proved {
			return shop.ErrUnproved
		}
		err := queries.ClientEventAdd(ctx, db.ClientEventAddParams{
			Kind: state.EventRefundLarge, About: claimed.ID.String(), AmountMinor: &claimed.AmountMinor, TransactionID: claimed.TransactionID,
		})
		if err != nil {
			return err
		}
	}
	return queries.AuditAdd(ctx, db.AuditAddParams{
		Actor: by.Email, Action: "refund", Subject: shop.Subject(one.Code),
		// the refund keeps its own reason, which may name the payer
		Reason: claimed.TransactionID + " " + money.Label(claimed.AmountMinor, claimed.Currency),
	})
}

// RefundAllowance returns how much of a payment a person may still refund, by the limit of their role.
func (t *Trade) RefundAllowance(ctx context.Context, by shop.Person, role shop.Role, one shop.Shop, p Payment) (shop.RefundLimit, error) {
	limits, err := refundLimitsOf(ctx, t.queries, one.Code)
	if err != nil {
		return shop.RefundLimit{}, err
	}
	room := limits.Of(role).For(p.Currency, one.Currency)
	if room.Any {
		return room, nil
	}
	total, err := t.queries.RefundedBy(ctx, p.ID, by.Email)
	room.Most = max(room.Most-total, 0)
	return room, err
}

// RefundLimits returns the limits of a shop.
func (t *Trade) RefundLimits(ctx context.Context, one shop.Shop) (shop.RefundLimits, error) {
	return refundLimitsOf(ctx, t.queries, one.Code)
}

func refundLimitsOf(ctx context.Context, queries *db.Queries, code string) (shop.RefundLimits, error) {
	rows, err := queries.RefundLimitList(ctx, code)
	list := shop.RefundLimits{}
	for _, row := range rows {
		limit := shop.RefundLimit{Any: row.MostMinor == nil}
		if row.MostMinor != nil {
			limit.Most = *row.MostMinor
		}
		list[shop.Role(row.Role)] = limit
	}
	return list, err
}

// SetRefundLimits changes what each role may refund of one payment. Only owners may. Errors: shop.ErrMissing, shop.ErrRole,
// shop.ErrNoRefundLimit.
func (t *Trade) SetRefundLimits(ctx context.Context, by shop.Person, one shop.Shop, set shop.RefundLimits) error {
	for role, c := range set {
		if !role.May(shop.Refund) || c.Most < 0 || c.Most > shop.MostRefundLimit {
			return shop.ErrNoRefundLimit
		}
	}
	return t.shops.Change(ctx, by, one.Code, shop.Own, func(tx pgx.Tx) (shop.Change, error) {
		queries := db.New(tx)
		was, err := refundLimitsOf(ctx, queries, one.Code)
		if err != nil {
			return shop.Change{}, err
		}
		changed := ""
		for _, role := range shop.Refunders() {
			next, ok := set[role]
			if !ok || next == was.Of(role) {
				continue
			}
			most := &next.Most
			if next.Any {
				most = nil
			}
			if err := queries.RefundLimitSet(ctx, one.Code, string(role), most); err != nil {
				return shop.Change{}, err
			}
			changed += "; " + string(role) + ": " + word(was.Of(role), one.Currency) + " to " + word(next, one.Currency)
		}
		if changed == "" {
			return shop.Change{}, nil
		}
		return shop.Change{Action: "refund limit changed", Detail: changed[len("; "):]}, nil
	})
}

func word(c shop.RefundLimit, currency string) string {
	if c.Any {
		return "no limit"
	}
	return money.Label(c.Most, currency)
}
