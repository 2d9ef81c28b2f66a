package merchant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/fault"
	"forecourt/internal/mailaddr"
	"forecourt/internal/money"
)

// MenuFile is a menu as a merchant writes it.
type MenuFile struct {
	Tagline    string         `json:"tagline"`
	Currency   string         `json:"currency"` // AUD where it is missing
	Accent     string         `json:"accent"`   // "#rrggbb"; a blue where it is missing
	Email      string         `json:"email"`    // gets the merchant's receipts
	ABN        string         `json:"abn"`
	Categories []MenuCategory `json:"categories"`
}

// MenuCategory is a heading with its items, in the order they are shown.
type MenuCategory struct {
	Name  string     `json:"name"`
	Items []MenuItem `json:"items"`
}

// MenuItem is one thing to sell. Its name is unique within the menu.
type MenuItem struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	PriceMinor  int64  `json:"priceMinor"` // minor units
	Loc         string `json:"loc"`        // where it is made; "Kitchen" where it is missing
	Available   *bool  `json:"available"`  // true where it is missing
}

// Errors for a merchant that cannot sell.
var (
	ErrMerchant = fault.New(fault.NotFound, "no such merchant")
	ErrTaken    = fault.New(fault.Conflict, "another business has the code")
	ErrNoMenu   = fault.New(fault.Conflict, "there is nothing to sell yet")
)

const defaultAccent = "#2347c5"

var accentForm = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// ReadMenu reads and checks a file. The error is worded for the person who wrote the file.
func ReadMenu(r io.Reader) (MenuFile, error) {
	var f MenuFile
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return f, fmt.Errorf("the menu is not JSON of this form: %w", err)
	}
	if f.Currency == "" {
		f.Currency = money.DefaultCurrency
	}
	if f.Accent = strings.ToLower(f.Accent); f.Accent == "" {
		f.Accent = defaultAccent
	}
	switch {
	case !money.Currency(f.Currency):
		return f, fmt.Errorf("currency %q is not one of two decimals", f.Currency)
	case !accentForm.MatchString(f.Accent):
		return f, fmt.Errorf("accent %q is not like #b4432a", f.Accent)
	case f.Email != "" && !mailaddr.Valid(f.Email):
		return f, fmt.Errorf("email %q is not an address", f.Email)
	}
	return f, f.checkItems()
}

func (f MenuFile) checkItems() error {
	items, headings := map[string]bool{}, map[string]bool{}
	for _, c := range f.Categories {
		if strings.TrimSpace(c.Name) == "" || headings[c.Name] {
			return fmt.Errorf("category %q has no name, or appears twice", c.Name)
		}
		headings[c.Name] = true
		for i := range c.Items {
			item := &c.Items[i]
			if item.Loc == "" {
				item.Loc = "Kitchen"
			}
			switch {
			case strings.TrimSpace(item.Name) == "" || items[item.Name]:
				return fmt.Errorf("item %q of %s has no name, or appears twice", item.Name, c.Name)
			case item.PriceMinor <= 0 || item.PriceMinor > money.Max:
				return fmt.Errorf("item %q: priceMinor is not from 1 to %d", item.Name, money.Max)
			}
			items[item.Name] = true
		}
	}
	if len(items) == 0 {
		return errors.New("the menu has no items")
	}
	return nil
}

// ImportMenu gives a merchant a menu. The first one makes the merchant a business in test mode, run by who made the merchant and by
// those of its admins whose address is verified. Items that are not in the file are hidden. Errors: ErrMerchant, ErrTaken.
func ImportMenu(ctx context.Context, pool *pgxpool.Pool, code string, f MenuFile) error {
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
		return f.putItems(ctx, queries, code)
	})
}

func (f MenuFile) putItems(ctx context.Context, queries *db.Queries, code string) error {
	if err := queries.ItemHideAll(ctx, code); err != nil {
		return err
	}
	for i, c := range f.Categories {
		category, err := queries.CategoryPlace(ctx, code, c.Name, int32(i))
		if err != nil {
			return err
		}
		for j, item := range c.Items {
			err := queries.ItemSet(ctx, db.ItemSetParams{
				ClientCode: code, CategoryID: category, Name: item.Name, Description: item.Description, PriceMinor: item.PriceMinor,
				Loc: item.Loc, Available: item.Available == nil || *item.Available, Position: int32(j),
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// UnverifiedError names somebody on the team of a shop who has to verify the address before the shop can go live; it is
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
