package shop

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/run/picture"
)

// Listed is a shop in the list of a person's shops.
type Listed struct {
	Code, Name string
	Live       bool
	Role       Role
}

// Shops stores the shops.
type Shops struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	studio  *picture.Studio
}

// New returns the shops kept in pool. studio encodes their pictures.
func New(pool *pgxpool.Pool, studio *picture.Studio) *Shops {
	return &Shops{pool: pool, queries: db.New(pool), studio: studio}
}

// Enter returns a shop and the role of an account in it. Errors: shop.ErrMissing, also for a person who is not on the team.
func (s *Shops) Enter(ctx context.Context, code string, account uuid.UUID) (Shop, Role, error) {
	row, err := s.queries.ShopEnter(ctx, code, account)
	if errors.Is(err, pgx.ErrNoRows) {
		return Shop{}, "", ErrMissing
	}
	return FromRow(row.Client), Role(row.Role), err
}

// Of lists the shops of a person, in the order they were made.
func (s *Shops) Of(ctx context.Context, account uuid.UUID) ([]Listed, error) {
	rows, err := s.queries.ShopListByAccount(ctx, account)
	list := make([]Listed, len(rows))
	for i, row := range rows {
		list[i] = Listed{row.Code, row.Name, row.Live, Role(row.Role)}
	}
	return list, err
}

// FromRow returns the shop of a row.
func FromRow(c db.Client) Shop {
	return Shop{
		Code: c.Code, Name: c.Name, Tagline: c.Tagline, Accent: c.Accent, Logo: c.Logo, Currency: c.Currency, Country: c.CountryCode,
		TimeZone: c.TimeZone, ABN: c.Abn, GSTIncluded: c.GstIncluded, Mail: c.Mail, Live: c.Live, Hours: c.Hours,
	}
}

// Change runs work in a database transaction in which the person keeps the right, even if the team changes meanwhile, and
// records the change that work returns. An empty Action means that nothing was done; it is not recorded. Errors: shop.ErrMissing,
// shop.ErrRole, those of work.
func (s *Shops) Change(ctx context.Context, by Person, code string, right Right, work func(pgx.Tx) (Change, error)) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		return ChangeIn(ctx, tx, by, code, right, func(Role) (Change, error) { return work(tx) })
	})
}

// ChangeIn is Change within a transaction. work gets the person's role.
func ChangeIn(
	ctx context.Context, tx pgx.Tx, by Person, code string, right Right, work func(Role) (Change, error),
) error {
	queries := db.New(tx)
	role, err := queries.ShopMemberLock(ctx, code, by.ID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrMissing
	case err != nil:
		return err
	case !Role(role).May(right):
		return ErrRole
	}
	done, err := work(Role(role))
	if err != nil || done.Action == "" {
		return err
	}
	return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by.Email, Action: done.Action, Subject: Subject(code), Reason: done.Detail})
}
