package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"forecourt/app"
	"forecourt/internal/gatewayaccount"
	"forecourt/internal/secret"
)

// gatewayCommand manages a business's accounts at the gateway, as /staff/accounts does.
type gatewayCommand struct {
	Client   string `arg:"" help:"Code of the business, as in /pos/CODE." missing:"which business?"`
	Live     bool   `help:"The account for live payments; without it, for test mode."`
	MID      string `name:"mid" placeholder:"ID" xor:"what" help:"${gateway_mid}"`
	Generate bool   `xor:"what" help:"Make an account, for a gateway that opens one at its first use; the password is printed only once."`
	Try      bool   `xor:"what" help:"Ask the gateway whether it accepts the stored account."`
	Remove   bool   `xor:"what" help:"Remove the account. Wallets are not offered without one."`
	JSON     bool   `name:"json" help:"As JSON."`
}

// Help says what the command does without a flag, and when it stores an account.
func (gatewayCommand) Help() string {
	return "Without --mid, --generate, --try or --remove it lists the business's accounts, each with the last four characters of its " +
		"merchant id. It stores an account only if the gateway accepts it, and seals its password."
}

// Run stores, changes or shows the accounts.
func (o gatewayCommand) Run(ctx context.Context, env environment) error {
	account := gatewayaccount.Account{MID: o.MID}
	if o.MID != "" {
		var err error
		if account.Password, _, err = env.password(true); err != nil {
			return err
		}
	}
	return withGateway(ctx, env, func(r *app.Rules) error {
		accounts := r.GatewayAccounts
		if _, err := accounts.Review(ctx, o.Client); err != nil {
			return wordGatewayAccount(err)
		}
		var err error
		report := accountReport{Client: o.Client, Mode: modeOf(o.Live)}
		switch {
		case o.MID != "":
			report.what, err = "kept; the gateway accepted it", accounts.Set(ctx, operator(), o.Client, o.Live, account)
			report.End = gatewayaccount.End(account.MID)
		case o.Generate:
			account = gatewayaccount.Generate()
			report.what, report.MID, report.password = "made; the gateway accepted it", account.MID, account.Password
			err = accounts.Set(ctx, operator(), o.Client, o.Live, account)
		case o.Try:
			report.what, err = "accepted by the gateway", accounts.Retry(ctx, operator(), o.Client, o.Live)
		case o.Remove:
			report.what, err = "removed", accounts.Drop(ctx, operator(), o.Client, o.Live)
		default:
			kept, err := accounts.Of(ctx, o.Client)
			if err != nil {
				return err
			}
			return env.listAccounts(kept, o.JSON)
		}
		if err != nil {
			return wordGatewayAccount(err)
		}
		return env.printAccount(report, o.JSON)
	})
}

func modeOf(live bool) string {
	if live {
		return "live"
	}
	return "test"
}

// accountReport is what became of an account. It shows the MID of an account that was just made, and only the End of any other.
type accountReport struct {
	Client string `json:"client"`
	Mode   string `json:"mode"`
	MID    string `json:"mid,omitempty"`
	End    string `json:"end,omitempty"`

	what     string
	password secret.Text
}

func (env environment) printAccount(report accountReport, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(env.stdout).Encode(struct { //nolint:gosec // it was made to be shown, once
			accountReport
			Password string `json:"password,omitempty"`
		}{report, report.password.Reveal()})
	}
	text := fmt.Sprintf("The %s account of %s is %s.\n", report.Mode, report.Client, report.what)
	if report.MID != "" {
		text += fmt.Sprintf("Merchant id: %s\nPassword: %s\nThe password is shown only now.\n", report.MID, report.password.Reveal())
	}
	_, err := fmt.Fprint(env.stdout, text)
	return err
}

func (env environment) listAccounts(kept []gatewayaccount.Kept, asJSON bool) error {
	if asJSON {
		list := []map[string]any{}
		for _, k := range kept {
			list = append(list, map[string]any{"mode": modeOf(k.Live), "end": k.End, "setBy": k.SetBy, "setAt": k.SetAt, "tried": k.Tried})
		}
		return json.NewEncoder(env.stdout).Encode(list)
	}
	if len(kept) == 0 {
		_, err := fmt.Fprintln(env.stdout, "No account is kept: wallets are not offered.")
		return err
	}
	table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "MODE\tMERCHANT ID\tACCEPTED\tSET BY")
	for _, k := range kept {
		tried := "never"
		if k.Tried != nil {
			tried = k.Tried.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(table, "%s\t…%s\t%s\t%s\n", modeOf(k.Live), k.End, tried, k.SetBy)
	}
	return table.Flush()
}

func wordGatewayAccount(err error) error {
	for known, text := range map[error]string{
		gatewayaccount.ErrClient:   "there is no such business",
		gatewayaccount.ErrMID:      "a merchant id has 4 to 64 letters, digits and . _ -",
		gatewayaccount.ErrPassword: "a paylink password has 8 to 200 printable characters; it is read from the standard input",
		gatewayaccount.ErrRefused:  "the gateway does not accept this account in this mode; nothing was changed",
		gatewayaccount.ErrAway:     "the gateway did not answer, so the account could not be tried; nothing was changed",
		gatewayaccount.ErrNone:     "there is no account for this mode",
		gatewayaccount.ErrSealed:   "the password was sealed with another FORECOURT_SECRET; set the account again",
	} {
		if errors.Is(err, known) {
			return errors.New(text)
		}
	}
	return wordDatabase(err)
}
