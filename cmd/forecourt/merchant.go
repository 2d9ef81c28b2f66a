package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"forecourt/db"
	"forecourt/internal/money"
	"forecourt/internal/paylink"
	"forecourt/internal/receipt"
	words "forecourt/views/paylink"
)

// merchant runs the commands about one business.
func merchant(ctx context.Context, env environment, args []string) error {
	return env.branch(ctx, "merchant", "Works for one business.", args, []command{
		{"paylink", "merchant paylink --client CODE --amount 12.50", "make a link that somebody pays", makePaylink},
		{"invoice", "merchant invoice --client CODE", "show or change what receipts say of ABN, GST and time", setInvoice},
		{"import", "merchant import menu.json --merchant CODE", "give a merchant a menu", importMenu},
		{"live", "merchant live CODE", "let a merchant take real money", setLive},
	})
}

// makePaylink makes a pay link and prints its address.
func makePaylink(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("merchant paylink", flag.ContinueOnError)
	link := paylink.New{}
	flags.StringVar(&link.Client, "client", "", "`CODE` of the business, as in /pos/CODE")
	amount := flags.String("amount", "", "what is to be paid, such as `12.50`")
	flags.StringVar(&link.Currency, "currency", "", "three letters, such as `AUD` (default: the business's own)")
	flags.StringVar(&link.Description, "description", "", "`TEXT` that the payer reads")
	flags.StringVar(&link.Reference, "reference", "", "the business's own `TEXT`, such as an invoice number")
	expires := flags.String("expires", "", "last `DAY` (UTC) or moment to pay, such as 2027-01-31 or 2027-01-31T09:30:00Z (default: never)")
	asJSON := flags.Bool("json", false, "as JSON")
	about := "Makes a link for somebody to pay, and prints its address."
	if err := env.parse(flags, args, about); err != nil {
		return err
	}
	var err error
	if link.Amount, err = money.Parse(*amount); err != nil {
		return env.wrong("merchant paylink", "--amount has to be an amount above zero, such as 12.50")
	}
	if link.Expires, err = parseEnd(*expires); err != nil {
		return env.wrong("merchant paylink", "--expires: "+err.Error())
	}
	return withDatabase(ctx, env, func(c config, d *database) error {
		made, err := paylink.Create(ctx, d.pool, []paylink.New{link})
		var problems paylink.Problems
		if errors.As(err, &problems) {
			return env.wrong("merchant paylink", wordProblems(problems))
		}
		if err != nil {
			return err
		}
		address := c.siteURL().JoinPath("pos", made[0].Client, made[0].ID).String()
		if !*asJSON {
			_, err = fmt.Fprintln(env.stdout, address)
			return err
		}
		return json.NewEncoder(env.stdout).Encode(map[string]string{
			"trxId": made[0].ID, "url": address, "amount": money.Wire(made[0].Amount), "currency": made[0].Currency,
		})
	})
}

// setInvoice changes what the receipts of a business say where a flag asks for it, and prints what they say then.
func setInvoice(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("merchant invoice", flag.ContinueOnError)
	client := flags.String("client", "", "`CODE` of the business, as in /pos/CODE")
	abn := flags.String("abn", "", "Australian Business `NUMBER`, empty for none")
	gst := flags.String("gst", "", "`included` in every price, or none")
	zone := flags.String("time-zone", "", "`ZONE` of the business, such as Australia/Perth")
	about := "Shows or changes what the receipts of a business say, from its next payment on. With an ABN and GST they are tax invoices."
	if err := env.parse(flags, args, about); err != nil {
		return err
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if given["gst"] && *gst != "included" && *gst != "none" {
		return env.wrong("merchant invoice", "--gst has to be included or none")
	}
	return withDatabase(ctx, env, func(_ config, d *database) error {
		queries := db.New(d.pool)
		invoice, err := receipt.InvoiceOf(ctx, queries, *client)
		if err == nil && len(given) > 1 {
			if given["abn"] {
				invoice.ABN = *abn
			}
			if given["gst"] {
				invoice.GSTIncluded = *gst == "included"
			}
			if given["time-zone"] {
				invoice.TimeZone = *zone
			}
			if err = invoice.Keep(ctx, queries, *client); err == nil {
				invoice, err = receipt.InvoiceOf(ctx, queries, *client)
			}
		}
		switch {
		case errors.Is(err, receipt.ErrNoClient):
			return env.wrong("merchant invoice", "--client: there is no business with that code")
		case errors.Is(err, receipt.ErrABN):
			return env.wrong("merchant invoice", "--abn: that is not a valid Australian Business Number")
		case errors.Is(err, receipt.ErrTimeZone):
			return env.wrong("merchant invoice", "--time-zone has to be an IANA name, such as Australia/Perth")
		case errors.Is(err, receipt.ErrUntaxed):
			return env.wrong("merchant invoice", "--gst included needs an ABN")
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

func wordProblems(problems paylink.Problems) string {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = words.ProblemText(p.Field, string(p.Problem))
	}
	return strings.Join(texts, "; ")
}

// parseEnd reads when something ends: a day ends with it, and nothing never does.
func parseEnd(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := parseMoment(s)
	if _, notDay := time.Parse(time.DateOnly, s); err == nil && notDay == nil {
		t = t.AddDate(0, 0, 1).Add(-time.Second)
	}
	return t, err
}
