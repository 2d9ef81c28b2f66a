package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app"
	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
)

type demoCommand struct{}

// Run loads whatever demo data is missing, into a new database if there is none. Outside demo mode the data is disabled, and Run says so.
func (demoCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	return c.withDatabase(ctx, env, func(c config, d *database) error {
		r, err := app.NewRules(c.commandSite(d, nil))
		if err != nil {
			return err
		}
		if !c.demo {
			_, err := io.WriteString(
				env.stdout, "The demo data is loaded but disabled: it works once forecourt serve runs with FORECOURT_DEMO=on.\n",
			)
			return errors.Join(demo.LoadShut(ctx, r.Pool, r.GatewayAccounts), err)
		}
		if err := demo.Load(ctx, r.Pool, r.GatewayAccounts); err != nil {
			return err
		}
		return printDemo(ctx, r.Pool, env.stdout, c.siteURL())
	})
}

// settleDemo loads and enables the demo data in demo mode. Otherwise it disables any demo data that is there.
func settleDemo(ctx context.Context, c config, r *app.Rules) error {
	if !c.demo {
		return demo.Shut(ctx, r.Pool)
	}
	if err := demo.Load(ctx, r.Pool, r.GatewayAccounts); err != nil {
		return err
	}
	return loadDemoRecord(ctx, r.Compliance)
}

// demoByDefault reports whether these are the settings of a trial: the built-in database, and no access from other machines.
func (c config) demoByDefault() bool {
	host, _, _ := net.SplitHostPort(c.Addr)
	return c.DatabaseURL == "" && ownHost(host) && (c.URL == nil || ownHost(c.URL.Hostname()))
}

// openDemo reports whether a demo may be reached by others, or runs on a database that may hold other data.
func (c config) openDemo() bool { return c.demo && !c.demoByDefault() }

// printStart prints what a person who has just started the program can open: the demo, or a link to make the first staff account while
// there is none.
func (d *database) printStart(ctx context.Context, isDemo bool, w io.Writer, public *url.URL) error {
	if isDemo {
		return printDemo(ctx, d.pool, w, public)
	}
	token, err := account.OfferFirst(ctx, db.New(d.pool))
	if err != nil || token.IsZero() {
		return err
	}
	_, err = fmt.Fprintf(w, "\n  Create the first staff account, within an hour:\n  %s\n\n", public.JoinPath("first", token.Reveal()))
	return err
}

// printDemo prints the addresses to try.
func printDemo(ctx context.Context, pool *pgxpool.Pool, w io.Writer, public *url.URL) error {
	link, err := demo.Paylink(ctx, pool)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n  Order and pay   %s\n", public.JoinPath("pos", demo.Shop).String()+"?t=4")
	fmt.Fprintf(w, "  Its menu, short %s\n", public.JoinPath("s", demo.Shortcode))
	if link != "" {
		fmt.Fprintf(w, "  Pay a link      %s\n", public.JoinPath("pos", demo.Shop, link))
	}
	fmt.Fprintf(w, "  Get a token     %s\n                  email %s, secret key %s\n",
		public.JoinPath("onboarding", "tokengen", demo.InviteID), demo.Email, demo.InviteKey)
	fmt.Fprintf(w, "  Sign in         %s   %s / %s\n  Staff           %s / %s\n  Mails           %s\n",
		public.JoinPath("signin"), demo.Email, demo.Password, demo.StaffEmail, demo.Password, public.JoinPath("dev", "outbox"))
	_, err = fmt.Fprintf(w, "  All demos       %s\n\n", public)
	return err
}

// ownHost reports whether host always means this machine, whatever a resolver says.
func ownHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// loadDemoRecord makes the demo's compliance record and bank account unless they exist. Their details are sealed, so
// they cannot come with the other demo data.
func loadDemoRecord(ctx context.Context, records *compliance.Records) error {
	err := records.Create(ctx, compliance.NewRecord{
		Quiet: true,
		ID:    demo.ComplianceRecord, Business: "Panezski Bakery Café Pty Ltd", Shop: demo.Shop, Admins: []string{demo.Email},
		People: []compliance.Asked{
			{Name: "Alex Panezski", Required: []compliance.Part{compliance.AddressPart, compliance.LicencePart, compliance.DobPart}},
			{Name: "Robin Okafor", Required: []compliance.Part{compliance.AddressPart, compliance.DobPart}},
		},
	})
	if err != nil && fault.CodeOf(err) != fault.Conflict {
		return err
	}
	return records.LoadAccount(ctx, demo.Shop, compliance.Mandate{Name: "Panezski Bakery Café Pty Ltd", BSB: "062000", Number: "12345678"})
}
