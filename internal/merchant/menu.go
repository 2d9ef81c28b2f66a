package merchant

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/fault"
	"forecourt/internal/mailaddr"
	"forecourt/internal/menu"
	"forecourt/internal/menu/menustore"
	"forecourt/internal/money"
	"forecourt/internal/shop"
)

// Errors for a merchant that cannot sell.
var (
	ErrMerchant = fault.New(fault.NotFound, "no such merchant")
	ErrTaken    = fault.New(fault.Conflict, "another business has the code")
	ErrNoMenu   = fault.New(fault.Conflict, "there is nothing to sell yet")
)

const defaultAccent = "#2347c5"

// operator is the actor in the audit of commands on the server.
const operator = "operator"

// ReadMenu reads and checks a file. The error is worded for the person who wrote the file.
func ReadMenu(r io.Reader) (f menu.File, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return f, err
	}
	f, err = menu.ReadFile(data)
	if err != nil {
		return f, errors.New(menu.FileProblem(err))
	}
	if f.Currency == "" {
		f.Currency = money.DefaultCurrency
	}
	if f.Accent = strings.ToLower(f.Accent); f.Accent == "" {
		f.Accent = defaultAccent
	}
	tidy, faults := f.Check(nil)
	switch {
	case !money.Currency(f.Currency):
		return f, fmt.Errorf("currency %q is not one of two decimals", f.Currency)
	case !shop.IsAccent(f.Accent):
		return f, fmt.Errorf("accent %q is not like #b4432a", f.Accent)
	case f.Email != "" && !mailaddr.Valid(f.Email):
		return f, fmt.Errorf("email %q is not an address", f.Email)
	case len(faults) > 0:
		return f, errors.New(menu.Wrongs(faults)[0].String())
	case tidy.Count() == 0:
		return f, errors.New("the menu has no items")
	}
	f.Menu = tidy
	return f, nil
}

// ImportMenu gives a merchant a menu. The first one makes the merchant a business in test mode, run by the person who made the merchant and by
// its admins with a verified address. The file is published at once as a version of the menu; what it lacks is hidden.
// Errors: ErrMerchant, ErrTaken.
func ImportMenu(ctx context.Context, pool *pgxpool.Pool, code string, f menu.File) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		m, err := queries.MerchantByCode(ctx, code)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrMerchant
		}
		if err != nil {
			return err
		}
		if m.ClientCode == nil {
			n, err := queries.ClientAddOfMerchant(ctx, code, m.Name)
			if err != nil {
				return err
			}
			if n == 0 {
				return ErrTaken
			}
			if _, err := queries.MerchantSells(ctx, code); err != nil {
				return err
			}
		}
		err = queries.ClientSetMenu(ctx, db.ClientSetMenuParams{
			Code: code, Tagline: f.Tagline, Currency: f.Currency, Accent: f.Accent, Mail: f.Email, Abn: f.ABN,
		})
		if err != nil {
			return err
		}
		if err := queries.ClientAdminAddOfMerchant(ctx, m.Uuid); err != nil {
			return err
		}
		if err := menustore.PutFile(ctx, tx, code, f.Menu, operator, "import"); err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: operator, Action: "menu published", Subject: shop.Subject(code), Reason: "from a file"})
	})
}

// UnverifiedError names a member of a shop's team who has to verify the address before the shop can go live; it is
// account.ErrUnverified.
type UnverifiedError struct{ Email string }

func (e *UnverifiedError) Error() string { return "the address " + e.Email + " is not verified" }

// Unwrap makes it account.ErrUnverified.
func (e *UnverifiedError) Unwrap() error { return account.ErrUnverified }

// SetLive switches a merchant to live payments, or back to test mode. A test shop may be run by people whose address is not verified,
// a live one may not, unless rule is waived. Errors: ErrMerchant, ErrNoMenu, *UnverifiedError.
func SetLive(ctx context.Context, pool *pgxpool.Pool, code string, live bool, rule account.Verification) error {
	queries := db.New(pool)
	if _, err := queries.MerchantByCode(ctx, code); err != nil {
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrMerchant
		}
		return err
	}
	if live && !rule.Waived {
		unverified, err := queries.ClientUnverified(ctx, code)
		if err != nil {
			return err
		}
		if len(unverified) > 0 {
			return &UnverifiedError{unverified[0]}
		}
	}
	n, err := queries.ClientSetLive(ctx, live, code)
	if err == nil && n == 0 {
		return ErrNoMenu
	}
	return err
}
