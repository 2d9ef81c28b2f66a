package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/app"
	"forecourt/internal/invite"
	"forecourt/internal/mail"
)

// inviteCommand invites users to a bearer token for the batch API of one business.
type inviteCommand struct {
	Create  createInvite  `cmd:"" help:"Invite a user: print a link and a secret key, only this once; send them by different ways."`
	List    listInvites   `cmd:"" help:"List the invited users and the state of each invite. Secrets cannot be shown again."`
	Revoke  revokeInvite  `cmd:"" help:"End a link and the token that was made with it."`
	Reissue reissueInvite `cmd:"" help:"End a link and its token, and give the same user another link and secret key."`
}

// handOver makes an invite, has its link mailed if asked to, and prints what the user gets.
func handOver(ctx context.Context, env environment, o handing, work func(*invite.Invites) (invite.Invite, error)) error {
	return withRules(ctx, env, func(c config, r *app.Rules) error {
		var made invite.Invite
		err := pgx.BeginFunc(ctx, r.Pool, func(tx pgx.Tx) (err error) {
			if made, err = work(r.Invites.In(tx)); err != nil || !o.Mail {
				return err
			}
			return r.Mail.Add(ctx, tx, mail.Request{
				Kind: invite.Letter, Key: invite.Letter + " " + made.DocID, Data: invite.LetterData{DocID: made.DocID},
			})
		})
		switch {
		case errors.Is(err, invite.ErrDays):
			return env.wrong(fmt.Sprintf("--days is from 1 to %d", invite.MaxDays))
		case errors.Is(err, invite.ErrEmail):
			return env.wrong("--email is not an email address")
		case err != nil:
			return err
		}
		return o.print(env, made, c.siteURL().JoinPath("onboarding", "tokengen", made.DocID).String())
	})
}

// handing is how an invite is handed over.
type handing struct {
	Days int  `default:"${days}" placeholder:"DAYS" help:"How many days the link may be used, default ${default}, at most ${most_days}."`
	JSON bool `name:"json" help:"As JSON."`
	Mail bool `help:"Mail the link, but never the secret key, to the user; the serving program sends it."`
}

// createInvite invites a user.
type createInvite struct {
	Client string `required:"" placeholder:"CODE" help:"Code of the business that the token works for, as in /pos/CODE."`
	Email  string `required:"" placeholder:"ADDRESS" help:"Address of the user."`
	handing
}

// Run makes the invite.
func (o createInvite) Run(ctx context.Context, env environment) error {
	return handOver(ctx, env, o.handing, func(invites *invite.Invites) (invite.Invite, error) {
		made, err := invites.Create(ctx, o.Client, o.Email, o.Days)
		if errors.Is(err, invite.ErrClient) {
			err = fmt.Errorf("there is no business %q", o.Client)
		}
		return made, err
	})
}

// reissueInvite ends an invite and makes another for the same user.
type reissueInvite struct {
	ID string `arg:"" name:"id" help:"Of the invite." missing:"which invite? See forecourt invite list"`
	handing
}

// Run makes the other invite.
func (o reissueInvite) Run(ctx context.Context, env environment) error {
	return handOver(ctx, env, o.handing, func(invites *invite.Invites) (invite.Invite, error) {
		made, err := invites.Reissue(ctx, o.ID, o.Days)
		if errors.Is(err, invite.ErrUnknown) {
			err = fmt.Errorf("there is no invite %q", o.ID)
		}
		return made, err
	})
}

// print prints what the user gets. It is the only time that the secret key is shown.
func (o handing) print(env environment, made invite.Invite, link string) error {
	if o.JSON {
		return json.NewEncoder(env.stdout).Encode(map[string]any{
			"docId": made.DocID, "link": link, "email": made.Email, "client": made.Client,
			"secretKey": made.SecretKey.Reveal(), "expiresAt": made.ExpiresAt.UTC(),
		})
	}
	if o.Mail {
		fmt.Fprintf(env.stdout, "The link is mailed to %s. The secret key is not: hand it over by another way.\n", made.Email)
	}
	_, err := fmt.Fprintf(env.stdout, "Link        %s\nEmail       %s\nSecret key  %s\nUsable until %s, "+
		"once. The secret key is not shown again.\n",
		link, made.Email, made.SecretKey.Reveal(), made.ExpiresAt.UTC().Format(time.RFC3339))
	return err
}

// listInvites lists who was invited.
type listInvites struct {
	JSON bool `name:"json" help:"As JSON."`
}

// Run prints them.
func (o listInvites) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		users, err := r.Invites.List(ctx)
		if err != nil {
			return err
		}
		if o.JSON {
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

// revokeInvite ends a link and the token that was made with it.
type revokeInvite struct {
	ID string `arg:"" name:"id" help:"Of the invite." missing:"which invite? See forecourt invite list"`
}

// Run ends it.
func (o revokeInvite) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		err := r.Invites.Revoke(ctx, o.ID)
		if errors.Is(err, invite.ErrUnknown) {
			return fmt.Errorf("there is no invite %q", o.ID)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.stdout, "%s is revoked.\n", o.ID)
		return err
	})
}
