package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"forecourt/app"
	"forecourt/internal/account"
	"forecourt/internal/mailaddr"
	"forecourt/internal/secret"
)

// userCommand makes and changes accounts.
type userCommand struct {
	Add      addUser      `cmd:"" help:"Make an account."`
	List     listUsers    `cmd:"" help:"List the accounts."`
	Password givePassword `cmd:"" help:"Give an account a new password, which ends every session of it."`
	TwoStep  dropTwoStep  `cmd:"" help:"${user_twostep}"`
	Staff    setStaff     `cmd:"" help:"Say who is staff, and so reviews forms and compliance."`
	Admin    setAdmin     `cmd:"" help:"Say who may run a business."`
}

// ofAccount names the account that a command changes.
type ofAccount struct {
	Email string `arg:"" help:"Of the account." missing:"whose email?"`
}

// newPassword says where a new password comes from.
type newPassword struct {
	Stdin bool `help:"Read the password from the first line of the standard input. Without it one is made and printed, once."`
	JSON  bool `name:"json" help:"As JSON."`
}

// addUser makes an account.
type addUser struct {
	ofAccount
	Name  string `placeholder:"NAME" help:"The person's name."`
	Staff bool   `help:"Make the account staff, who review forms and compliance."`
	newPassword
}

// Run makes it.
func (o addUser) Run(ctx context.Context, env environment) error {
	typed, made, err := env.password(o.Stdin)
	if err != nil {
		return err
	}
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		person, err := r.Accounts.Make(ctx, account.NewUser{
			Credentials: account.Credentials{Email: o.Email, Password: typed}, Confirm: typed, Name: o.Name, Staff: o.Staff, Verified: true,
		})
		if err != nil {
			return wordUser(err)
		}
		return env.printPassword(person.Email, "made", made, o.JSON)
	})
}

// givePassword gives an account a new password.
type givePassword struct {
	ofAccount
	newPassword
}

// Run gives it.
func (o givePassword) Run(ctx context.Context, env environment) error {
	typed, made, err := env.password(o.Stdin)
	if err != nil {
		return err
	}
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		if err := r.Accounts.GivePassword(ctx, o.Email, typed); err != nil {
			return wordUser(err)
		}
		return env.printPassword(mailaddr.Normal(o.Email), "given a new password", made, o.JSON)
	})
}

// dropTwoStep turns off two-step sign-in for a person who lost the second step.
type dropTwoStep struct {
	ofAccount
	Off bool `required:"" help:"Turn it off. First make sure that the person is who they claim to be."`
}

// Run turns it off.
func (o dropTwoStep) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		if err := r.Accounts.DropTwoStep(ctx, o.Email, operator()); err != nil {
			return wordUser(err)
		}
		_, err := fmt.Fprintf(
			env.stdout, "%s signs in with the password alone. Staff and owners of live businesses then set up two-step sign-in anew.\n",
			mailaddr.Normal(o.Email),
		)
		return err
	})
}

// listUsers lists the accounts.
type listUsers struct {
	JSON bool `name:"json" help:"As JSON."`
}

// Run prints them.
func (o listUsers) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		entries, err := r.Accounts.List(ctx)
		if err != nil {
			return err
		}
		if o.JSON {
			return json.NewEncoder(env.stdout).Encode(entries)
		}
		table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(table, "EMAIL\tVERIFIED\tNAME\tSTAFF\tADMIN OF\tSINCE")
		for _, e := range entries {
			staff, verified := "", "no"
			if e.Staff {
				staff = "staff"
			}
			if e.Verified {
				verified = "yes"
			}
			fmt.Fprintf(
				table, "%s\t%s\t%s\t%s\t%s\t%s\n", e.Email, verified, e.Name, staff, strings.Join(e.Admin, " "), e.Created.UTC().Format(time.DateOnly),
			)
		}
		return table.Flush()
	})
}

// setStaff makes an account staff, or ends that.
type setStaff struct {
	ofAccount
	Off bool `help:"No longer."`
}

// Run changes it.
func (o setStaff) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		if err := r.Accounts.SetStaff(ctx, o.Email, !o.Off); err != nil {
			return wordUser(err)
		}
		_, err := fmt.Fprintf(env.stdout, "%s is %s.\n", mailaddr.Normal(o.Email), onOff(o.Off, "staff", "no longer staff"))
		return err
	})
}

// setAdmin makes an account the admin of a business, or ends that.
type setAdmin struct {
	ofAccount
	Client string `required:"" placeholder:"CODE" help:"Code of the business."`
	Off    bool   `help:"No longer."`
}

// Run changes it.
func (o setAdmin) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		if err := r.Accounts.SetAdmin(ctx, o.Email, o.Client, !o.Off); err != nil {
			return wordUser(err)
		}
		_, err := fmt.Fprintf(env.stdout, "%s is %s of %s.\n", mailaddr.Normal(o.Email), onOff(o.Off, "an admin", "no longer an admin"), o.Client)
		return err
	})
}

func onOff(off bool, on, no string) string {
	if off {
		return no
	}
	return on
}

// password reads a password, or makes one and returns it to be shown. A password is never an argument, because other people on the machine
// can read those.
func (env environment) password(stdin bool) (typed secret.Text, made string, err error) {
	if !stdin {
		made = "Fc-" + strings.ToLower(rand.Text()[:20]) + "-1"
		return secret.New(made), made, nil
	}
	line, err := bufio.NewReader(env.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return secret.Text{}, "", err
	}
	return secret.New(strings.TrimRight(line, "\r\n")), "", nil
}

func (env environment) printPassword(email, what, made string, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(env.stdout).Encode(struct { //nolint:gosec // it was made to be shown, once
			Email    string `json:"email"`
			Password string `json:"password,omitempty"`
		}{email, made})
	}
	text := fmt.Sprintf("%s is %s.\n", email, what)
	if made != "" {
		text += "Password: " + made + "\nIt is not shown again.\n"
	}
	_, err := io.WriteString(env.stdout, text)
	return err
}

func wordUser(err error) error {
	var wrong *account.SignUpError
	switch {
	case errors.As(err, &wrong) && wrong.Email:
		return errors.New("not an email address")
	case errors.As(err, &wrong):
		return errors.New("the password needs at least 8 characters, among them an uppercase and a " +
			"lowercase letter, a number and a special character")
	case errors.Is(err, account.ErrName):
		return fmt.Errorf("a name has at most %d printable characters and holds no card number", account.MaxName)
	case errors.Is(err, account.ErrTaken):
		return errors.New("that email has an account already")
	case errors.Is(err, account.ErrNobody):
		return errors.New("no account has that email")
	case errors.Is(err, account.ErrUnverified):
		return errors.New("that account's address is not verified: its owner has to open the link that was " +
			"mailed there, or choose a new password at /reset")
	case errors.Is(err, account.ErrNoStep):
		return errors.New("that account has no two-step sign-in")
	case errors.Is(err, account.ErrNoClient):
		return errors.New("there is no such business")
	default:
		return err
	}
}
