package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/invite"
	"forecourt/internal/mail"
	"forecourt/internal/password"
)

// inviteUsers runs the commands about invited users.
func inviteUsers(ctx context.Context, env environment, args []string) error {
	return env.branch(ctx, "invite", "Invites users to a bearer token for the batch API of one business.", args, []command{
		{"create", "invite create --client CODE --email ADDRESS", "make a link and a secret key, shown once", createInvite},
		{"list", "invite list", "list who was invited and how that stands", listInvites},
		{"revoke", "invite revoke ID", "end a link and its token", revokeInvite},
		{"reissue", "invite reissue ID", "end them and make a new link and secret key", reissueInvite},
	})
}

// withInvites opens what a command about invited users needs and closes it again.
func withInvites(ctx context.Context, env environment, work func(*invite.Invites) error) error {
	return withDatabase(ctx, env, func(_ config, d *database) error { return work(invitesOf(d.pool)) })
}

// invitesOf manages the users that conn knows. A command guesses nothing, so that nothing of it is counted.
func invitesOf(conn db.DBTX) *invite.Invites {
	return invite.New(conn, password.New(), nil, invite.Limits{})
}

// handOver makes an invite, has its link mailed if asked to, and prints what the user gets.
func handOver(ctx context.Context, env environment, o handing, work func(*invite.Invites) (invite.Invite, error)) error {
	return withDatabase(ctx, env, func(c config, d *database) error {
		queue, err := mail.NewQueue(d.pool)
		if err != nil {
			return err
		}
		var made invite.Invite
		err = pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			if made, err = work(invitesOf(tx)); err != nil || !*o.mail {
				return err
			}
			return queue.Add(ctx, tx, mail.Order{
				Kind: invite.Letter, Key: invite.Letter + " " + made.DocID, Data: invite.LetterData{DocID: made.DocID},
			})
		})
		switch {
		case errors.Is(err, invite.ErrDays):
			return env.wrong(o.command, fmt.Sprintf("--days is from 1 to %d", invite.MaxDays))
		case errors.Is(err, invite.ErrEmail):
			return env.wrong(o.command, "--email is no email address")
		case err != nil:
			return err
		}
		return o.print(env, made, c.siteURL().JoinPath("onboarding", "tokengen", made.DocID).String())
	})
}

// handing is how an invite is handed over.
type handing struct {
	command      string
	days         *int
	asJSON, mail *bool
}

func readHanding(flags *flag.FlagSet) handing {
	return handing{
		command: flags.Name(),
		days:    flags.Int("days", invite.DefaultDays, "how many days the link may be used, up to "+strconv.Itoa(invite.MaxDays)),
		asJSON:  flags.Bool("json", false, "as JSON"),
		mail:    flags.Bool("mail", false, "mail the link, but never the secret key, to the user; the serving program sends it"),
	}
}

func createInvite(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("invite create", flag.ContinueOnError)
	client := flags.String("client", "", "`CODE` of the business that the token works for, as in /pos/CODE")
	email := flags.String("email", "", "`ADDRESS` of the user")
	how := readHanding(flags)
	about := "Invites a user. The link and the secret key are shown this once; they may travel by different ways."
	if err := env.parse(flags, args, about); err != nil {
		return err
	}
	if *client == "" || *email == "" {
		return env.wrong("invite create", "--client and --email are required")
	}
	return handOver(ctx, env, how, func(invites *invite.Invites) (invite.Invite, error) {
		made, err := invites.Create(ctx, *client, *email, *how.days)
		if errors.Is(err, invite.ErrClient) {
			err = fmt.Errorf("there is no business %q", *client)
		}
		return made, err
	})
}

func reissueInvite(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("invite reissue", flag.ContinueOnError)
	how := readHanding(flags)
	about := "Ends a link and its token, and gives the same user another link and secret key: forecourt invite reissue ID"
	words, rest := leading(args, 1)
	if err := env.parse(flags, rest, about); err != nil {
		return err
	}
	if len(words) == 0 {
		return env.wrong("invite reissue", "which invite? See forecourt invite list")
	}
	return handOver(ctx, env, how, func(invites *invite.Invites) (invite.Invite, error) {
		made, err := invites.Reissue(ctx, words[0], *how.days)
		if errors.Is(err, invite.ErrUnknown) {
			err = fmt.Errorf("there is no invite %q", words[0])
		}
		return made, err
	})
}

// print tells what the user gets, the secret key this once.
func (o handing) print(env environment, made invite.Invite, link string) error {
	if *o.asJSON {
		return json.NewEncoder(env.stdout).Encode(map[string]any{
			"docId": made.DocID, "link": link, "email": made.Email, "client": made.Client,
			"secretKey": made.SecretKey.Reveal(), "expiresAt": made.ExpiresAt.UTC(),
		})
	}
	if *o.mail {
		fmt.Fprintf(env.stdout, "The link is mailed to %s. The secret key is not: hand it over by another way.\n", made.Email)
	}
	_, err := fmt.Fprintf(env.stdout, "Link        %s\nEmail       %s\nSecret key  %s\nUsable until %s, once. The secret key is not shown again.\n",
		link, made.Email, made.SecretKey.Reveal(), made.ExpiresAt.UTC().Format(time.RFC3339))
	return err
}

func listInvites(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("invite list", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "as JSON")
	if err := env.parse(flags, args, "Lists who was invited. Secrets are not known any more."); err != nil {
		return err
	}
	return withInvites(ctx, env, func(invites *invite.Invites) error {
		users, err := invites.List(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(env.stdout).Encode(users)
		}
		table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tCLIENT\tEMAIL\tSTATE\tLINK UNTIL\tTOKEN USED\tFROM")
		for _, u := range users {
			used := ""
			if u.LastUsedAt != nil {
				used = u.LastUsedAt.UTC().Format(time.RFC3339)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", u.DocID, u.Client, u.Email, u.State,
				u.ExpiresAt.UTC().Format(time.RFC3339), used, u.LastUsedAddr)
		}
		return table.Flush()
	})
}

func revokeInvite(ctx context.Context, env environment, args []string) error {
	words, rest := leading(args, 1)
	about := "Ends a link and the token that came of it: forecourt invite revoke ID"
	if err := env.parse(flag.NewFlagSet("invite revoke", flag.ContinueOnError), rest, about); err != nil {
		return err
	}
	if len(words) == 0 {
		return env.wrong("invite revoke", "which invite? See forecourt invite list")
	}
	return withInvites(ctx, env, func(invites *invite.Invites) error {
		err := invites.Revoke(ctx, words[0])
		if errors.Is(err, invite.ErrUnknown) {
			return fmt.Errorf("there is no invite %q", words[0])
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.stdout, "%s is revoked.\n", words[0])
		return err
	})
}
