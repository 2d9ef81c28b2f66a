package main

import (
	"context"
	"fmt"
	"io"
	"net/url"

	"forecourt/internal/demo"
)

// demoCommand loads the demo data.
type demoCommand struct{}

// Run loads what is not there yet.
func (demoCommand) Run(ctx context.Context, env environment) error {
	return withDatabase(ctx, env, func(c config, d *database) error {
		if err := demo.Load(ctx, d.pool); err != nil {
			return err
		}
		return d.printDemo(ctx, env.stdout, c.siteURL())
	})
}

// printDemo tells where there is something to try.
func (d *database) printDemo(ctx context.Context, w io.Writer, public *url.URL) error {
	link, err := demo.Paylink(ctx, d.pool)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n  Order and pay   %s\n", public.JoinPath("pos", demo.Client).String()+"?t=4")
	fmt.Fprintf(w, "  The same, short %s\n", public.JoinPath("s", demo.Shortcode))
	if link != "" {
		fmt.Fprintf(w, "  Pay a link      %s\n", public.JoinPath("pos", demo.Client, link))
	}
	fmt.Fprintf(w, "  Get a token     %s\n                  email %s, secret key %s\n",
		public.JoinPath("onboarding", "tokengen", demo.InviteID), demo.Email, demo.InviteKey)
	fmt.Fprintf(w, "  Sign in         %s   %s / %s\n  Staff           %s / %s\n  Mails           %s\n",
		public.JoinPath("signin"), demo.Email, demo.Password, demo.StaffEmail, demo.Password, public.JoinPath("dev", "outbox"))
	_, err = fmt.Fprintf(w, "  All demos       %s\n\n", public)
	return err
}
