// Package paylink makes pay links, one by one or in batches, shares them and follows them: transactions without order lines that a merchant
// sends to a payer.
package paylink

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"time"
	"unicode/utf8"

	"forecourt/db"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

// Max is how many pay links are made at once.
const Max = 1000

// The longest texts, in characters.
const (
	MaxReference   = 64  // characters of a pay link's reference
	MaxDescription = 255 // characters of its description
)

// Wanted is a request for a pay link.
type Wanted struct {
	ID          string // of the transaction, 22 to 36 letters, digits, - and _ that nobody can guess; empty makes one
	Shop        string // code of the business that is paid
	Amount      int64  // minor units, from 1 to money.Max
	Currency    string // empty takes the business's own
	Reference   string // the merchant's own, such as an invoice number; may be empty
	Description string // what the payer reads; may be empty
	Expires     Expiry
	ReceiptMail string // gets the merchant's copy of the receipt; empty takes the business's own address
}

// Problem is what is wrong with a pay link of several, as a reason in words.
type Problem struct {
	Row    int    `json:"row"`             // from 1
	Field  string `json:"field,omitempty"` // client amount currency reference description expires or receipt mail; "" for the row as a whole
	Reason string `json:"reason"`
}

// Problems lists everything that is wrong with pay links, by row. Nothing was made. As an error it is a fault.Invalid.
type Problems []Problem

func (p Problems) Error() string {
	return fmt.Sprintf("%d problems, the first: row %d: %s %s", len(p), p[0].Row, p[0].Field, p[0].Reason)
}

// Unwrap gives the problems their code.
func (p Problems) Unwrap() error { return fault.New(fault.Invalid, "pay links break a rule") }

// Refused says how many rows cannot be used.
func (p Problems) Refused() string {
	rows := map[int]bool{}
	for _, one := range p {
		rows[one.Row] = true
	}
	if len(rows) == 1 {
		return "One row cannot be used. Nothing was created."
	}
	return fmt.Sprintf("%d rows cannot be used. Nothing was created.", len(rows))
}

// Create makes all the pay links of rows, or none, and returns them as they were made: each can be paid at /pos/{Client}/{ID}. conn may
// be an open transaction. Errors: Problems if rows violate a rule, fault.Invalid for no rows or more than Max.
func Create(ctx context.Context, conn db.DBTX, rows []Wanted) ([]Wanted, error) {
	if len(rows) == 0 || len(rows) > Max {
		return nil, fault.New(fault.Invalid, "%d pay links, want 1 to %d", len(rows), Max)
	}
	queries := db.New(conn)
	shops, err := shopsOf(ctx, queries, rows)
	if err != nil {
		return nil, err
	}
	var problems Problems
	var p db.PaylinkCreateParams
	created := make([]Wanted, len(rows))
	for i, row := range rows {
		own, known := shops[row.Shop]
		if row.Currency == "" {
			row.Currency = own.Currency
		}
		expires := row.Expires.in(clock.Zone(own.TimeZone))
		problems = append(problems, row.check(i+1, known, expires, own.Now)...)
		row.ID = cmp.Or(row.ID, rand.Text())
		created[i] = row
		p.Ids, p.ShopCodes = append(p.Ids, row.ID), append(p.ShopCodes, row.Shop)
		p.Amounts, p.Currencies = append(p.Amounts, row.Amount), append(p.Currencies, row.Currency)
		p.ClientRefs, p.Descriptions = append(p.ClientRefs, row.Reference), append(p.Descriptions, row.Description)
		p.Expiries, p.ReceiptMails = append(p.Expiries, expires), append(p.ReceiptMails, row.ReceiptMail)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	stored, err := queries.PaylinkCreate(ctx, p)
	if err == nil && stored != int64(len(rows)) {
		err = fault.New(fault.Unavailable, "a client went away while its pay links were made")
	}
	if err != nil {
		return nil, err
	}
	return created, nil
}

// shopsOf returns the shops that rows name and that exist, by code, with what their pay links depend on.
func shopsOf(ctx context.Context, queries *db.Queries, rows []Wanted) (map[string]db.PaylinkShopListRow, error) {
	seen := map[string]bool{}
	var codes []string
	for _, row := range rows {
		if !seen[row.Shop] && printable.Line(row.Shop, maxCode) {
			seen[row.Shop] = true
			codes = append(codes, row.Shop)
		}
	}
	found, err := queries.PaylinkShopList(ctx, codes)
	shops := map[string]db.PaylinkShopListRow{}
	for _, shop := range found {
		shops[shop.Code] = shop
	}
	return shops, err
}

// maxCode is the greatest length of a shop's code.
const maxCode = 63

func (n *Wanted) check(row int, known bool, expires, now time.Time) Problems {
	var problems Problems
	require := func(fits bool, field, reason string) {
		if !fits {
			problems = append(problems, Problem{row, field, reason})
		}
	}
	require(n.Shop != "", "client", "say which business is paid")
	require(n.Shop == "" || known, "client", "there is no such business")
	require(n.Amount > 0, "amount", "the amount has to be above zero")
	require(n.Amount <= money.Max, "amount", "the amount can be 999999.99 at most")
	require(!known || money.Currency(n.Currency), "currency",
		"the currency has to be three capital letters of one with two decimals, such as AUD")
	for _, p := range n.Texts() {
		require(false, p.Field, p.Reason)
	}
	require(n.ReceiptMail == "" || typed.IsEmail(n.ReceiptMail), "receipt mail", "receipt mail cannot be used")
	require(!known || expires.IsZero() || expires.After(now), "expires", "the expiry has to be in the future")
	return problems
}

// Texts tidies the reference and the description, and checks them alone. The rows of its problems are 0.
func (n *Wanted) Texts() Problems {
	var problems Problems
	add := func(field, reason string) {
		problems = append(problems, Problem{Field: field, Reason: "the " + field + " " + reason})
	}
	for _, text := range []struct {
		field string
		value *string
		most  int
	}{{"reference", &n.Reference, MaxReference}, {"description", &n.Description, MaxDescription}} {
		switch wrong := typed.Tidy(text.value, text.most, text.field, ""); {
		case utf8.RuneCountInString(*text.value) > text.most:
			add(text.field, fmt.Sprintf("can have %d characters at most", text.most))
		case wrong == card.LeaveOut:
			add(text.field, "looks like a card number, which must not be stored")
		case wrong != "":
			add(text.field, "is not UTF-8")
		}
	}
	return problems
}

// Expiry is when a pay link can no longer be paid: a moment, or the end of a day in the time zone of the business. The zero Expiry never
// comes.
type Expiry struct {
	at  time.Time
	day bool // at is a day, whose zone does not count
}

// ExpiresAt returns an expiry at a moment; for the zero time, one that never comes.
func ExpiresAt(moment time.Time) Expiry { return Expiry{at: moment} }

// ParseExpiry reads a last day (2027-01-31) or a moment (2027-01-31T09:30:00Z). For an empty text it returns the zero Expiry.
func ParseExpiry(s string) (Expiry, error) {
	if s == "" {
		return Expiry{}, nil
	}
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return Expiry{at: day, day: true}, nil
	}
	moment, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return Expiry{}, fmt.Errorf("%q is neither a day like 2027-01-31 nor a time like 2027-01-31T09:30:00Z", s)
	}
	return ExpiresAt(moment), nil
}

// Over reports whether the expiry has come, in the time zone of a business.
func (e Expiry) Over(zone *time.Location, now time.Time) bool {
	end := e.in(zone)
	return !end.IsZero() && !end.After(now)
}

// in returns the moment at which the expiry comes in a time zone; the zero time for never.
func (e Expiry) in(zone *time.Location) time.Time {
	if !e.day {
		return e.at
	}
	return clock.EndOf(e.at, zone)
}
