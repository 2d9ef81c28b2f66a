package shop

import (
	"context"
	"errors"
	"math"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
)

// LooksOnPage is how many looks a page lists.
const LooksOnPage = 50

// Find returns a shop for the provider's staff. Errors: shop.ErrMissing.
func (s *Shops) Find(ctx context.Context, code string) (Shop, error) {
	row, err := s.queries.ShopFind(ctx, code)
	if errors.Is(err, pgx.ErrNoRows) {
		return Shop{}, ErrMissing
	}
	return FromRow(row), err
}

// Looked notes in the audit log that one of the staff looks at a page of a shop's desk. It notes a page that refreshes itself once in
// shop.LookAgainAfter.
func (s *Shops) Looked(ctx context.Context, by, code, page string) error {
	return s.queries.AuditLook(ctx, db.AuditLookParams{
		Actor: by, Subject: LookSubject(code), Page: page, AgainAfter: LookAgainAfter,
	})
}

// Looks lists when staff looked at a shop's desk, the latest first, before a line of the audit log; 0 begins with the latest.
func (s *Shops) Looks(ctx context.Context, one Shop, before int64) (list []StaffLook, more bool, err error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	rows, err := s.queries.AuditListLooks(ctx, LookSubject(one.Code), before, LooksOnPage+1)
	for _, row := range rows[:min(len(rows), LooksOnPage)] {
		list = append(list, StaffLook{No: row.ID, At: row.CreatedAt.In(one.Zone()), Page: row.Reason})
	}
	return list, len(rows) > LooksOnPage, err
}
