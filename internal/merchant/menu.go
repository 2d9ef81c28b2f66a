package merchant

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/mailaddr"
	"forecourt/internal/menu"
	"forecourt/internal/menu/menustore"
	"forecourt/internal/money"
	"forecourt/internal/shop"
	"forecourt/internal/shop/shopstore"
)

// Errors for a merchant that cannot sell.
var (
	ErrMerchant = fault.New(fault.NotFound, "no such merchant")
	ErrTaken    = fault.New(fault.Conflict, "another business has the code")
)

// operator is the actor in the audit log of commands on the server.
const operator = "operator"

// ReadMenu reads and checks a file of JSON or CSV. base is the menu that the merchant has; see menu.ReadCSV. The error is worded for the
// person who made the file.
func ReadMenu(data []byte, base menu.Menu) (menu.File, error) {
	f, wrong := menu.Read(data, base, nil)
	if len(wrong) > 0 {
		return f, errors.New(wrong[0].String())
	}
	f.Accent = strings.ToLower(f.Accent)
	tidy, faults := f.Check(nil)
	switch {
	case f.Currency != "" && !money.Currency(f.Currency):
		return f, fmt.Errorf("currency %q is not one of two decimals", f.Currency)
	case f.Accent != "" && !shop.IsAccent(f.Accent):
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

// ImportMenu gives a merchant the menu of a file. The first one makes the merchant a business in test mode, with the team that
// shopstore.MakeTeam makes. The file is published at once as a version of the menu; what it lacks is hidden.
// Errors: ErrMerchant, ErrTaken, those of ReadMenu.
func ImportMenu(ctx context.Context, pool *pgxpool.Pool, code string, file []byte) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		m, err := queries.MerchantByCodeLock(ctx, code)
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
			if err := shopstore.MakeTeam(ctx, queries, code, m.Uuid); err != nil {
				return err
			}
		}
		base, err := menustore.Published(ctx, tx, code)
		if err != nil {
			return err
		}
		f, err := ReadMenu(file, base)
		if err != nil {
			return err
		}
		faults, err := menustore.CheckPictures(ctx, queries, code, f.Menu, base)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return errors.New(menu.Wrongs(faults)[0].String())
		}
		err = queries.ClientSetMenu(ctx, db.ClientSetMenuParams{
			Code: code, Tagline: f.Tagline, Currency: f.Currency, Accent: f.Accent, Mail: f.Email, Abn: f.ABN,
		})
		if err != nil {
			return err
		}
		if err := menustore.PutFile(ctx, tx, code, f.Menu, operator, "import"); err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: operator, Action: "menu published", Subject: shop.Subject(code), Reason: "from a file"})
	})
}
