package main

import (
	"context"
	"fmt"

	"forecourt/app"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
)

// gatewayCommand manages a business's accounts at the gateway, as /staff/accounts does.
type gatewayCommand struct {
	Client   string `arg:"" help:"Code of the business, as in /pos/CODE."`
	Live     bool   `help:"The account for live payments; without it, for test mode."`
	MID      string `name:"mid" placeholder:"ID" xor:"what" help:"${gateway_mid}"`
	Generate bool   `xor:"what" help:"Make an account, for a gateway that opens one at its first use; the password is printed only once."`
	Try      bool   `xor:"what" help:"Ask the gateway whether it accepts the stored account."`
	Remove   bool   `xor:"what" help:"Remove the account. Wallets are not offered without one."`
	asJSON
}

// Help says what the command does without a flag, and when it stores an account.
func (gatewayCommand) Help() string {
	return "Without --mid, --generate, --try or --remove it lists the business's accounts, each with the last four characters of its " +
		"merchant id. It stores an account only if the gateway accepts it, and seals its password."
}

// Run stores, changes or shows the accounts.
func (o gatewayCommand) Run(ctx context.Context, env environment) error {
	by := shop.Person{Email: operator(), Proof: account.OperatorProof()}
	account := gatewayaccount.Account{MID: o.MID}
	if o.MID != "" {
		var err error
		if account.Password, err = env.password(); err != nil {
			return err
		}
	}
	return withGateway(ctx, env, func(r *app.Rules) error {
		accounts := r.GatewayAccounts
		if _, err := accounts.Review(ctx, o.Client); err != nil {
			return err
		}
		var err error
		var what string
		made := accountMade{Client: o.Client, Mode: modeOf(o.Live)}
		switch {
		case o.MID != "":
			what, err = "kept; the gateway accepted it", accounts.Set(ctx, by, o.Client, o.Live, account)
			made.End = gatewayaccount.End(account.MID)
		case o.Generate:
			account = gatewayaccount.Generate()
			what, err = "made; the gateway accepted it", accounts.Set(ctx, by, o.Client, o.Live, account)
			made.MID, made.Password = account.MID, account.Password.Reveal()
		case o.Try:
			what, err = "accepted by the gateway", accounts.Retry(ctx, by, o.Client, o.Live)
		case o.Remove:
			what, err = "removed", accounts.Drop(ctx, by, o.Client, o.Live)
		default:
			return o.list(ctx, env, r)
		}
		if err != nil {
			return err
		}
		text := fmt.Sprintf("The %s account of %s is %s.\n", made.Mode, made.Client, what)
		if made.MID != "" {
			text += fmt.Sprintf("Merchant id: %s\nPassword: %s\nThe password is shown only now.\n", made.MID, made.Password)
		}
		return o.print(env, made, text)
	})
}

func modeOf(live bool) string { return either(live, "live", "test") }

// accountMade is what became of an account. It shows the MID and the Password of one that was just made, and only the End of any other.
type accountMade struct {
	Client   string `json:"client"`
	Mode     string `json:"mode"`
	MID      string `json:"mid,omitempty"`
	End      string `json:"end,omitempty"`
	Password string `json:"password,omitempty"`
}

type accountKept struct {
	Mode string `json:"mode"`
	gatewayaccount.Kept
}

func (o gatewayCommand) list(ctx context.Context, env environment, r *app.Rules) error {
	kept, err := r.GatewayAccounts.Of(ctx, o.Client)
	if err != nil {
		return err
	}
	list := make([]accountKept, len(kept))
	for i, k := range kept {
		list[i] = accountKept{modeOf(k.Live), k}
	}
	return printList(env, o.asJSON, list, "MODE\tMERCHANT ID\tACCEPTED\tSET BY", func(k accountKept) []string {
		return []string{k.Mode, "…" + k.End, orNever(k.Tried), k.SetBy}
	})
}
