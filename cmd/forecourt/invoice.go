package main

import (
	"context"
	"errors"
	"fmt"

	"forecourt/db"
	"forecourt/internal/receipt"
)

// invoiceCommand changes what a business's receipts say, if flags are given, and prints what they say then.
type invoiceCommand struct {
	Client   string  `placeholder:"CODE" help:"Code of the business, as in /pos/CODE (required)."`
	ABN      *string `name:"abn" placeholder:"NUMBER" help:"Australian Business Number, empty for none."`
	GST      *string `name:"gst" enum:"included,none" placeholder:"included" help:"Whether it is included in every price, or none."`
	TimeZone *string `placeholder:"ZONE" help:"Time zone of the business, such as Australia/Perth."`
}

// Help says when a change takes effect.
func (invoiceCommand) Help() string {
	return "A change takes effect with the business's next payment. With an ABN and GST its receipts are tax invoices."
}

// Run changes and prints it.
func (o invoiceCommand) Run(ctx context.Context, env environment) error {
	return withDatabase(ctx, env, func(_ config, d *database) error {
		queries := db.New(d.pool)
		invoice, err := receipt.InvoiceOf(ctx, queries, o.Client)
		if err == nil && (o.ABN != nil || o.GST != nil || o.TimeZone != nil) {
			if o.ABN != nil {
				invoice.ABN = *o.ABN
			}
			if o.GST != nil {
				invoice.GSTIncluded = *o.GST == "included"
			}
			if o.TimeZone != nil {
				invoice.TimeZone = *o.TimeZone
			}
			if err = invoice.Keep(ctx, queries, o.Client); err == nil {
				invoice, err = receipt.InvoiceOf(ctx, queries, o.Client)
			}
		}
		switch {
		case errors.Is(err, receipt.ErrNoClient):
			return env.wrong("--client: there is no business with that code")
		case errors.Is(err, receipt.ErrABN):
			return env.wrong("--abn: that is not a valid Australian Business Number")
		case errors.Is(err, receipt.ErrTimeZone):
			return env.wrong("--time-zone has to be an IANA name, such as Australia/Perth")
		case errors.Is(err, receipt.ErrUntaxed):
			return env.wrong("--gst included needs an ABN")
		case err != nil:
			return err
		}
		included := "none"
		if invoice.GSTIncluded {
			included = "included"
		}
		_, err = fmt.Fprintf(env.stdout, "ABN        %s\nGST        %s\ntime zone  %s\n", or(invoice.ABN, "none"), included, invoice.TimeZone)
		return err
	})
}
