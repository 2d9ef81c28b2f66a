package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"forecourt/app"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/people/account"
)

type userCommand struct {
	Add      addUser      `cmd:"" help:"Make an account."`
	List     listUsers    `cmd:"" help:"List the accounts."`
	Password givePassword `cmd:"" help:"Give an account a new password, which ends every session of it."`
	TwoStep  dropTwoStep  `cmd:"" help:"${user_twostep}"`
	Staff    setStaff     `cmd:"" help:"Say who is staff, and so reviews forms and compliance."`
	Admin    setAdmin     `cmd:"" help:"Say who may run a business."`
}

type ofAccount struct {
	Email string `arg:"" help:"Of the account."`
}

type newPassword struct {
	Stdin bool `help:"Read the password from the first line of the standard input. Without it one is made and printed, once."`
	asJSON
}

// give gives an account a password that was typed or made, and prints one that was made.
func (o newPassword) give(
	ctx context.Context, env environment, what string, work func(*account.Accounts, secret.Text) (email string, err error),
) error {
	password := secret.New("Fc-" + strings.ToLower(rand.Text()[:20]) + "-1")
	var shown struct {
		Email    string `json:"email"`
		Password string `json:"password,omitempty"`
	}
	if o.Stdin {
		var err error
		if password, err = env.password(); err != nil {
			return err
		}
	} else {
		shown.Password = password.Reveal()
	}
	return withRules(ctx, env, func(_ config, r *app.Rules) (err error) {
		if shown.Email, err = work(r.Accounts, password); err != nil {
			return err
		}
		text := fmt.Sprintf("%s is %s.\n", shown.Email, what)
		if shown.Password != "" {
			text += "Password: " + shown.Password + "\nIt is not shown again.\n"
		}
		return o.print(env, shown, text)
	})
}

type addUser struct {
	ofAccount
	Name  string `placeholder:"NAME" help:"The person's name."`
	Staff bool   `help:"Make the account staff, who review forms and compliance."`
	newPassword
}

func (o addUser) Run(ctx context.Context, env environment) error {
	return o.give(ctx, env, "made", func(accounts *account.Accounts, password secret.Text) (string, error) {
		person, err := accounts.Make(ctx, account.NewUser{
			Credentials: account.Credentials{Email: o.Email, Password: password}, Confirm: password, Name: o.Name, Staff: o.Staff, Verified: true,
		})
		return person.Email, err
	})
}

type givePassword struct {
	ofAccount
	newPassword
}

func (o givePassword) Run(ctx context.Context, env environment) error {
	return o.give(ctx, env, "given a new password", func(accounts *account.Accounts, password secret.Text) (string, error) {
		return typed.Email(o.Email), accounts.GivePassword(ctx, o.Email, password)
	})
}

// change changes the account, and prints what it is afterwards.
func (o ofAccount) change(ctx context.Context, env environment, after string, work func(*account.Accounts) error) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		if err := work(r.Accounts); err != nil {
			return err
		}
		_, err := fmt.Fprintf(env.stdout, "%s %s.\n", typed.Email(o.Email), after)
		return err
	})
}

// dropTwoStep turns off two-step sign-in for a person who lost the second step.
type dropTwoStep struct {
	ofAccount
	Off bool `required:"" help:"Turn it off. First make sure that the person is who they claim to be."`
}

func (o dropTwoStep) Run(ctx context.Context, env environment) error {
	const after = "signs in with the password alone. Staff and owners of live businesses then set up two-step sign-in anew"
	return o.change(ctx, env, after, func(accounts *account.Accounts) error { return accounts.DropTwoStep(ctx, o.Email, operator()) })
}

type listUsers struct{ asJSON }

func (o listUsers) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		entries, err := r.Accounts.List(ctx)
		if err != nil {
			return err
		}
		return printList(env, o.asJSON, entries, "EMAIL\tVERIFIED\tNAME\tSTAFF\tADMIN OF\tSINCE", func(e account.Entry) []string {
			return []string{
				e.Email, either(e.Verified, "yes", "no"), e.Name, either(e.Staff, "staff", ""), strings.Join(e.Admin, " "),
				e.Created.UTC().Format(time.DateOnly),
			}
		})
	})
}

type setStaff struct {
	ofAccount
	Off bool `help:"No longer."`
}

func (o setStaff) Run(ctx context.Context, env environment) error {
	return o.change(ctx, env, either(o.Off, "is no longer staff", "is staff"), func(accounts *account.Accounts) error {
		return accounts.SetStaff(ctx, o.Email, !o.Off)
	})
}

// setAdmin makes an account the admin of a business, or ends that.
type setAdmin struct {
	ofAccount
	Client string `required:"" placeholder:"CODE" help:"Code of the business."`
	Off    bool   `help:"No longer."`
}

func (o setAdmin) Run(ctx context.Context, env environment) error {
	return o.change(ctx, env, either(o.Off, "is no longer", "is")+" an admin of "+o.Client, func(accounts *account.Accounts) error {
		return accounts.SetAdmin(ctx, o.Email, o.Client, !o.Off)
	})
}

func either(so bool, yes, no string) string {
	if so {
		return yes
	}
	return no
}

// password reads a password from the standard input. It is never an argument, because other people on the machine can read those.
func (env environment) password() (secret.Text, error) {
	line, err := bufio.NewReader(env.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return secret.Text{}, err
	}
	return secret.New(strings.TrimRight(line, "\r\n")), nil
}
