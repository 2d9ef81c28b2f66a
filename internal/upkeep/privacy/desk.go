package privacy

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/shop/shop"
)

// PayerErasure is the progress of erasing the payer of a transaction: ordered, and done.
type PayerErasure = db.ErasureOfPayerRow

// PayerErasure returns the progress of erasing a transaction's payer.
func (p *Privacy) PayerErasure(ctx context.Context, transaction string) (PayerErasure, error) {
	return p.queries.ErasureOfPayer(ctx, transaction)
}

// OrderPayer queues the erasure of the payer of a shop's transaction. It is for a member of the team whom the payer has asked. Errors:
// receipt.ErrMissing, ErrMoving, shop.ErrMissing, shop.ErrRole.
func (p *Privacy) OrderPayer(ctx context.Context, by shop.Person, code, transaction string) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries, ask := db.New(tx), uuid.New()
		role, err := queries.ShopMemberLock(ctx, code, by.ID)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return shop.ErrMissing
		case err != nil:
			return err
		case !shop.Role(role).May(shop.Edit):
			return shop.ErrRole
		}
		row, err := queries.ErasurePayerLock(ctx, transaction)
		switch {
		case errors.Is(err, pgx.ErrNoRows), err == nil && row.ShopCode != code:
			return receipt.ErrMissing
		case err != nil:
			return err
		case row.Moving:
			return ErrMoving
		}
		if stands, err := queries.ErasureOfPayer(ctx, transaction); err != nil || stands.Ordered || stands.Done {
			return err
		}
		if err := queries.ErasureAskPayer(ctx, ask, &transaction); err != nil {
			return err
		}
		if _, err := queries.ErasureAskConfirm(ctx, ask); err != nil {
			return err
		}
		err = queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: by.Email, Action: "payer erasure ordered", Subject: shop.Subject(code), Reason: transaction,
		})
		if err != nil {
			return err
		}
		_, err = p.client.InsertTx(ctx, tx, dueJob{}, nil)
		return err
	})
}
