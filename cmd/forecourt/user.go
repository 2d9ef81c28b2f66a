package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"forecourt/internal/account"
	"forecourt/internal/mail"
	"forecourt/internal/mailaddr"
	"forecourt/internal/password"
	"forecourt/internal/secret"
)

const aboutUser = `Makes and changes accounts:

  forecourt user add EMAIL [--name NAME] [--staff] [--stdin] [--json]
  forecourt user list [--json]
  forecourt user password EMAIL [--stdin] [--json]    ends every session of the account
  forecourt user staff EMAIL [--off]                  staff review forms and compliance;
                                                      forecourt user --staff EMAIL is the same
  forecourt user admin EMAIL --client CODE [--off]    who may run a business

--stdin reads the password from the first line of the standard input. Without it one is
made and printed, once.
`

// users makes and changes accounts.
func users(ctx context.Context, env environment, args []string) error {
	if at(args, 0) == "--staff" { // as staff is spelled when added
		args = append([]string{"staff"}, args[1:]...)
	}
	words, rest := leading(args, 1)
	switch at(words, 0) {
	case "add":
		return addUser(ctx, env, rest)
	case "list":
		return listUsers(ctx, env, rest)
	case "password":
		return giveUserPassword(ctx, env, rest)
	case "staff":
		return setUserStaff(ctx, env, rest)
	case "admin":
		return setUserAdmin(ctx, env, rest)
	case "":
		if err := env.parse(flag.NewFlagSet("user", flag.ContinueOnError), rest, aboutUser); err != nil {
			return err
		}
	}
	return env.wrong("user", "it does add, list, password, staff or admin; see forecourt user --help")
}

func addUser(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("user add", flag.ContinueOnError)
	name := flags.String("name", "", "how the person is called")
	staff := flags.Bool("staff", false, "reviews forms and compliance")
	stdin, asJSON := passwordFlags(flags)
	email, err := env.email(flags, args)
	if err != nil {
		return err
	}
	typed, made, err := env.password(*stdin)
	if err != nil {
		return err
	}
	return withAccounts(ctx, env, func(a *account.Accounts) error {
		person, err := a.Make(ctx, account.NewUser{
			Credentials: account.Credentials{Email: email, Password: typed}, Confirm: typed, Name: *name, Staff: *staff,
		})
		if err != nil {
			return wordUser(err)
		}
		return env.tellPassword(person.Email, "made", made, *asJSON)
	})
}

func giveUserPassword(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("user password", flag.ContinueOnError)
	stdin, asJSON := passwordFlags(flags)
	email, err := env.email(flags, args)
	if err != nil {
		return err
	}
	typed, made, err := env.password(*stdin)
	if err != nil {
		return err
	}
	return withAccounts(ctx, env, func(a *account.Accounts) error {
		if err := a.GivePassword(ctx, email, typed); err != nil {
			return wordUser(err)
		}
		return env.tellPassword(mailaddr.Normal(email), "given a new password", made, *asJSON)
	})
}

func listUsers(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("user list", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "as JSON")
	if err := env.parse(flags, args, aboutUser); err != nil {
		return err
	}
	return withAccounts(ctx, env, func(a *account.Accounts) error {
		entries, err := a.List(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(env.stdout).Encode(entries)
		}
		table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(table, "EMAIL\tNAME\tSTAFF\tADMIN OF\tSINCE")
		for _, e := range entries {
			staff := ""
			if e.Staff {
				staff = "staff"
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", e.Email, e.Name, staff, strings.Join(e.Admin, " "), e.Created.UTC().Format(time.DateOnly))
		}
		return table.Flush()
	})
}

func setUserStaff(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("user staff", flag.ContinueOnError)
	off := flags.Bool("off", false, "no longer")
	email, err := env.email(flags, args)
	if err != nil {
		return err
	}
	return withAccounts(ctx, env, func(a *account.Accounts) error {
		if err := a.SetStaff(ctx, email, !*off); err != nil {
			return wordUser(err)
		}
		_, err := fmt.Fprintf(env.stdout, "%s is %s.\n", mailaddr.Normal(email), onOff(*off, "staff", "no longer staff"))
		return err
	})
}

func setUserAdmin(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("user admin", flag.ContinueOnError)
	client := flags.String("client", "", "`CODE` of the business (required)")
	off := flags.Bool("off", false, "no longer")
	email, err := env.email(flags, args)
	if err != nil {
		return err
	}
	if *client == "" {
		return env.wrong("user admin", "--client is required")
	}
	return withAccounts(ctx, env, func(a *account.Accounts) error {
		if err := a.SetAdmin(ctx, email, *client, !*off); err != nil {
			return wordUser(err)
		}
		_, err := fmt.Fprintf(env.stdout, "%s is %s of %s.\n", mailaddr.Normal(email), onOff(*off, "an admin", "no longer an admin"), *client)
		return err
	})
}

func onOff(off bool, on, no string) string {
	if off {
		return no
	}
	return on
}

func passwordFlags(flags *flag.FlagSet) (stdin, asJSON *bool) {
	return flags.Bool("stdin", false, "read the password from the first line of the standard input"), flags.Bool("json", false, "as JSON")
}

// email reads the one argument of a command about an account, before or behind its flags.
func (env environment) email(flags *flag.FlagSet, args []string) (string, error) {
	words, rest := leading(args, 1)
	if err := env.parse(flags, rest, aboutUser); err != nil {
		return "", err
	}
	if at(words, 0) == "" {
		return "", env.wrong(flags.Name(), "whose email?")
	}
	return words[0], nil
}

// password reads one, or makes one, which it returns to be shown; a password is never an argument, which other people on the
// machine can read.
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

func (env environment) tellPassword(email, what, made string, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(env.stdout).Encode(struct { //nolint:gosec // it was made to be shown, once
			Email    string `json:"email"`
			Password string `json:"password,omitempty"`
		}{email, made})
	}
	text := fmt.Sprintf("%s is %s.\n", email, what)
	if made != "" {
		text += "Password: " + made + "\nIt is shown only now.\n"
	}
	_, err := io.WriteString(env.stdout, text)
	return err
}

// withAccounts opens what a command about accounts needs, perhaps beside a program that serves, and closes it again.
func withAccounts(ctx context.Context, env environment, work func(*account.Accounts) error) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	c.demo, c.beside = false, true
	d, err := openDatabase(ctx, c, slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelError})), env.stderr)
	if err != nil {
		return err
	}
	queue, err := mail.NewQueue(d.pool)
	if err == nil {
		// No try is counted here, so that nothing needs the key.
		err = work(account.New(d.pool, password.New(), queue, nil, account.Limits{}))
	}
	return errors.Join(err, d.close(ctx))
}

func wordUser(err error) error {
	var wrong *account.SignUpError
	switch {
	case errors.As(err, &wrong) && wrong.Email:
		return errors.New("that is no email address")
	case errors.As(err, &wrong):
		return errors.New("the password needs 8 characters or more, with an uppercase and a lowercase letter, a number and a special character")
	case errors.Is(err, account.ErrName):
		return fmt.Errorf("a name has at most %d characters that can be printed", account.MaxName)
	case errors.Is(err, account.ErrTaken):
		return errors.New("that email has an account already")
	case errors.Is(err, account.ErrNobody):
		return errors.New("no account has that email")
	case errors.Is(err, account.ErrNoClient):
		return errors.New("there is no such business")
	default:
		return err
	}
}
