package receipt

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/shop"
)

// Reasons why an invoice cannot be stored.
var (
	ErrNoClient = fault.New(fault.NotFound, "no such business")
	ErrABN      = fault.New(fault.Invalid, "not an Australian Business Number")
	ErrTimeZone = fault.New(fault.Invalid, "not an IANA time zone")
	// ErrUntaxed means that GST is included but the number that a tax invoice needs is missing.
	ErrUntaxed = fault.New(fault.Invalid, "prices that include GST need an ABN")
)

// Invoice is the text of a business's receipts, from its next payment on.
type Invoice struct {
	ABN         string // eleven digits, grouped or not; empty for none
	GSTIncluded bool   // in every price
	TimeZone    string // such as Australia/Sydney
}

// InvoiceOf returns the Invoice of a client. Errors: ErrNoClient.
func InvoiceOf(ctx context.Context, queries *db.Queries, client string) (Invoice, error) {
	row, err := queries.ClientInvoiceGet(ctx, client)
	if errors.Is(err, pgx.ErrNoRows) {
		return Invoice{}, ErrNoClient
	}
	if err != nil {
		return Invoice{}, err
	}
	return Invoice{ABN: row.Abn, GSTIncluded: row.GstIncluded, TimeZone: row.TimeZone}, nil
}

// Keep stores an invoice for a client. Errors: ErrNoClient, ErrABN, ErrTimeZone, ErrUntaxed.
func (i Invoice) Keep(ctx context.Context, queries *db.Queries, client string) error {
	abn, ok := shop.FormatABN(i.ABN)
	if !ok {
		return ErrABN
	}
	if _, err := time.LoadLocation(i.TimeZone); err != nil || i.TimeZone == "" || i.TimeZone == "Local" {
		return ErrTimeZone
	}
	if i.GSTIncluded && abn == "" {
		return ErrUntaxed
	}
	rows, err := queries.ClientInvoicePut(ctx, db.ClientInvoicePutParams{Code: client, Abn: abn, GstIncluded: i.GSTIncluded, TimeZone: i.TimeZone})
	if err == nil && rows == 0 {
		return ErrNoClient
	}
	return err
}
