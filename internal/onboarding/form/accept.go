package form

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
)

// AcceptAgain makes up for an application that was approved by an earlier version: it makes what an approval makes now, such as the
// compliance record. Whatever exists already stays as it is. Errors: ErrNoForm, also for a form that is not an approved application.
func (s *Forms) AcceptAgain(ctx context.Context, reference, by string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		row, err := queries.FormLockApproved(ctx, &reference)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNoForm
		}
		if err != nil {
			return err
		}
		f, err := formOf(row.Form, Owner{ID: row.Form.AccountID, Email: row.Email})
		if err != nil {
			return err
		}
		return errors.Join(
			s.Accepted(ctx, tx, by, row.Form.AccountID, f),
			queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: "application accepted again", Subject: reference}),
		)
	})
}
