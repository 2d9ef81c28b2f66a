package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"forecourt/app"
	"forecourt/internal/kit/typed"
	"forecourt/internal/upkeep/privacy"
)

// privacyCommand exports and erases what is stored about people.
type privacyCommand struct {
	Export exportData `cmd:"" help:"Write a copy of an account's data to a ZIP file. A guest gets theirs on the page of a receipt."`
	Erase  eraseData  `cmd:"" help:"Erase an account, or the payer of a payment. This cannot be undone."`
}

type exportData struct {
	ofAccount
	File string `arg:"" help:"The ZIP file to write. It must not exist."`
}

func (o exportData) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) (err error) {
		id, err := r.Privacy.AccountID(ctx, typed.Email(o.Email))
		if errors.Is(err, privacy.ErrNobody) {
			err = fmt.Errorf("%w: a guest downloads a copy through the page of their receipt, “Get a copy of my details”", err)
		}
		if err != nil {
			return err
		}
		file, err := os.OpenFile(o.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		if err := r.Privacy.Export(ctx, id, file); err != nil {
			return errors.Join(err, os.Remove(o.File))
		}
		_, err = fmt.Fprintf(env.stdout, "%s holds the data of %s. Keep it secret.\n", o.File, typed.Email(o.Email))
		return err
	})
}

type eraseData struct {
	Account string `placeholder:"EMAIL" help:"The account with this address, or with this id. Its owner gets a last mail."`
	Payer   string `placeholder:"RECEIPT" help:"The payer of the payment with this receipt: its address, or the transaction's id."`
	Yes     bool   `required:"" help:"Confirm. First make sure that the person is who they claim to be and wants this."`
}

func (o eraseData) Run(ctx context.Context, env environment) error {
	if (o.Account == "") == (o.Payer == "") {
		return wrong("it takes either --account or --payer")
	}
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		if o.Account != "" {
			id, err := r.Privacy.AccountID(ctx, typed.Email(o.Account))
			if err == nil {
				err = r.Privacy.EraseAccount(ctx, id)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.stdout, "The account %s is erased.\n", id)
			return err
		}
		id, err := r.Privacy.Transaction(ctx, o.Payer[strings.LastIndexByte(o.Payer, '/')+1:])
		if err == nil {
			err = r.Privacy.ErasePayer(ctx, id)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.stdout, "The payer of %s is erased. Amounts, times and references stay.\n", id)
		return err
	})
}
