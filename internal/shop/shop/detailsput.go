package shop

import (
	"context"
	"errors"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
)

// Ready is a merchant without a shop.
type Ready struct {
	UUID       uuid.UUID
	Code, Name string // suggested for the shop
}

// Ready lists the merchants of an admin that have no shop.
func (s *Shops) Ready(ctx context.Context, account uuid.UUID) ([]Ready, error) {
	rows, err := s.queries.MerchantReadyList(ctx, account)
	list := make([]Ready, len(rows))
	for i, row := range rows {
		list[i] = Ready{row.Uuid, row.Code, row.Name}
	}
	return list, err
}

// Create makes the shop of a merchant, for one of its admins, and returns its code. For its owners see MakeTeam. If the merchant already
// has a shop, Create returns that shop's code. The problems are those of the details. Errors: shop.ErrMissing.
func (s *Shops) Create(
	ctx context.Context, by Person, merchant uuid.UUID, d Details,
) (code string, problems Problems, err error) {
	d, problems = d.Check()
	d.CheckCode(problems)
	if len(problems) > 0 {
		return "", problems, nil
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		m, err := queries.MerchantLockOwn(ctx, merchant, by.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrMissing
		}
		if err != nil {
			return err
		}
		if m.ClientCode != nil {
			code = *m.ClientCode
			return nil
		}
		n, err := queries.ShopAdd(ctx, db.ShopAddParams{Code: d.Code, Name: d.Name, Accent: d.Accent, Merchant: merchant})
		if err != nil {
			return err
		}
		if n == 0 {
			problems["code"] = Taken
			return nil
		}
		code = d.Code
		return errors.Join(
			queries.MerchantOpenShop(ctx, d.Code, merchant),
			MakeTeam(ctx, queries, d.Code, merchant),
			putDetails(ctx, queries, d.Code, d),
			queries.AuditAdd(ctx, db.AuditAddParams{Actor: by.Email, Action: "shop made", Subject: Subject(d.Code), Reason: d.Name}),
		)
	})
	return code, problems, err
}

// Details returns what a shop says about itself.
func (s *Shops) Details(ctx context.Context, one Shop) (Details, error) {
	names, err := s.queries.ShopLocationList(ctx, one.Code)
	return Details{
		Code: one.Code, Name: one.Name, Tagline: one.Tagline, Logo: one.Logo, Accent: one.Accent, Currency: one.Currency, Country: one.Country,
		TimeZone: one.TimeZone, ABN: one.ABN, GSTIncluded: one.GSTIncluded, Mail: one.Mail, Locations: names,
		Hours: one.Hours,
	}, err
}

// Save changes what a shop says about itself. Errors: shop.ErrMissing, shop.ErrRole.
func (s *Shops) Save(ctx context.Context, by Person, code string, d Details) (problems Problems, err error) {
	d, problems = d.Check()
	if len(problems) > 0 {
		return problems, nil
	}
	return problems, s.Change(ctx, by, code, Edit, func(tx pgx.Tx) (Change, error) {
		return Change{Action: "shop changed", Detail: d.Name}, putDetails(ctx, db.New(tx), code, d)
	})
}

func putDetails(ctx context.Context, queries *db.Queries, code string, d Details) error {
	_, err := queries.ShopSave(ctx, db.ShopSaveParams{
		Code: code, Name: d.Name, Tagline: d.Tagline, Logo: d.Logo, Accent: d.Accent,
		TimeZone: d.TimeZone, Abn: d.ABN, GstIncluded: d.GSTIncluded,
		Mail: d.Mail, Currency: d.Currency, CountryCode: d.Country, Hours: d.Hours,
	})
	if err != nil {
		return err
	}
	return queries.ShopLocationSet(ctx, code, d.Locations)
}

// Tables lists the tables of a shop.
func (s *Shops) Tables(ctx context.Context, code string) ([]Table, error) {
	rows, err := s.queries.ShopTableList(ctx, code)
	list := make([]Table, len(rows))
	for i, row := range rows {
		list[i] = Table(row)
	}
	return list, err
}

// SetTables replaces the list of tables. Errors: shop.ErrMissing, shop.ErrRole.
func (s *Shops) SetTables(ctx context.Context, by Person, code string, tables []Table) error {
	names, areas := make([]string, len(tables)), make([]string, len(tables))
	for i, t := range tables {
		names[i], areas[i] = t.Name, t.Area
	}
	return s.Change(ctx, by, code, Edit, func(tx pgx.Tx) (Change, error) {
		return Change{
			Action: "tables changed", Detail: strconv.Itoa(len(tables)) + " tables",
		}, db.New(tx).ShopTableSet(ctx, code, names, areas)
	})
}
