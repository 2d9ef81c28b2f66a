// Package paylink makes pay links, one by one or in batches, shares them and follows them: transactions without order lines that a merchant
// sends to a payer.
package paylink

import (
	"cmp"
	"context"
	"crypto/rand"
	"time"

	"forecourt/db"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
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
	Client      string // code of the business that is paid
	Amount      int64  // minor units, from 1 to money.Max
	Currency    string // empty takes the business's own
	Reference   string // the merchant's own, such as an invoice number; may be empty
	Description string // what the payer reads; may be empty
	Expires     Expiry
	ReceiptMail string // gets the merchant's copy of the receipt; empty takes the business's own address
}

// Created is a pay link that can be paid at /pos/{Client}/{ID}.
type Created struct {
	Client, ID string
	Amount     int64 // minor units
	Currency   string
	Reference  string
}

// Create makes all the pay links of rows, or none, and returns them in the same order. conn may be an open transaction.
// Errors: Problems if rows violate a rule, fault.Invalid for no rows or more than Max.
func Create(ctx context.Context, conn db.DBTX, rows []Wanted) ([]Created, error) {
	if len(rows) == 0 || len(rows) > Max {
		return nil, fault.New(fault.Invalid, "%d pay links, want 1 to %d", len(rows), Max)
	}
	queries := db.New(conn)
	clients, err := clientsOf(ctx, queries, rows)
	if err != nil {
		return nil, err
	}
	var problems Problems
	var p db.PaylinkCreateParams
	created := make([]Created, len(rows))
	for i, row := range rows {
		own, known := clients[row.Client]
		if row.Currency == "" {
			row.Currency = own.Currency
		}
		expires := row.Expires.in(clock.Zone(own.TimeZone))
		problems = append(problems, row.check(i, known, expires, own.Now)...)
		created[i] = Created{
			Client: row.Client, ID: cmp.Or(row.ID, rand.Text()), Amount: row.Amount, Currency: row.Currency, Reference: row.Reference,
		}
		p.Ids, p.ClientCodes = append(p.Ids, created[i].ID), append(p.ClientCodes, row.Client)
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

// clientsOf returns the clients that rows name and that exist, by code, with what their pay links depend on.
func clientsOf(ctx context.Context, queries *db.Queries, rows []Wanted) (map[string]db.PaylinkClientListRow, error) {
	seen := map[string]bool{}
	var codes []string
	for _, row := range rows {
		if !seen[row.Client] && printable.Line(row.Client, maxCode) {
			seen[row.Client] = true
			codes = append(codes, row.Client)
		}
	}
	found, err := queries.PaylinkClientList(ctx, codes)
	clients := map[string]db.PaylinkClientListRow{}
	for _, client := range found {
		clients[client.Code] = client
	}
	return clients, err
}

// maxCode is the greatest length of a client's code.
const maxCode = 63

func (n Wanted) check(row int, known bool, expires, now time.Time) Problems {
	var problems Problems
	add := func(field string, what Problem) {
		problems = append(problems, RowProblem{Row: row, Field: field, Problem: what})
	}
	switch {
	case n.Client == "":
		add("client", Missing)
	case !known:
		add("client", Unknown)
	}
	switch {
	case n.Amount < 1:
		add("amount", Missing)
	case n.Amount > money.Max:
		add("amount", TooMuch)
	}
	if known && !money.Currency(n.Currency) {
		add("currency", Unknown)
	}
	for _, p := range n.Texts() {
		add(p.Field, p.Problem)
	}
	if n.ReceiptMail != "" && !mailaddr.Valid(n.ReceiptMail) {
		add("receipt mail", BadText)
	}
	if known && !expires.IsZero() && !expires.After(now) {
		add("expires", Past)
	}
	return problems
}

// Texts checks the reference and the description alone. The rows of its problems are 0.
func (n Wanted) Texts() Problems {
	var problems Problems
	add := func(field string, what Problem) { problems = append(problems, RowProblem{Field: field, Problem: what}) }
	for _, text := range []struct {
		field, value string
		most         int
	}{{"reference", n.Reference, MaxReference}, {"description", n.Description, MaxDescription}} {
		switch {
		case printable.Line(text.value, text.most):
		case printable.Line(text.value, len(text.value)):
			add(text.field, TooLong)
		default:
			add(text.field, BadText)
		}
	}
	if card.HoldsNumber(n.Description) {
		add("description", HoldsCard)
	}
	if card.HoldsCard(n.Reference) {
		add("reference", HoldsCard)
	}
	return problems
}
