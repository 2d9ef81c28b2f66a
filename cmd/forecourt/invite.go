package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"forecourt/app"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/mail"
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
		if err != nil {
			return err
		}
		return o.handOut(env, made, c.siteURL().JoinPath("onboarding", "tokengen", made.DocID).String())
	})
}

type handing struct {
	Days int  `default:"${days}" placeholder:"DAYS" help:"How many days the link may be used, default ${default}, at most ${most_days}."`
	Mail bool `help:"Mail the link, but never the secret key, to the user; the serving program sends it."`
	asJSON
}

type createInvite struct {
	Client string `required:"" placeholder:"CODE" help:"Code of the business that the token works for, as in /pos/CODE."`
	Email  string `required:"" placeholder:"ADDRESS" help:"Address of the user."`
	handing
}

func (o createInvite) Run(ctx context.Context, env environment) error {
	return handOver(ctx, env, o.handing, func(invites *invite.Invites) (invite.Invite, error) {
		return invites.Create(ctx, o.Client, o.Email, o.Days)
	})
}

// reissueInvite ends an invite and makes another for the same user.
type reissueInvite struct {
	ID string `arg:"" name:"id" help:"Of the invite."`
	handing
}

func (o reissueInvite) Run(ctx context.Context, env environment) error {
	return handOver(ctx, env, o.handing, func(invites *invite.Invites) (invite.Invite, error) {
		return invites.Reissue(ctx, o.ID, o.Days)
	})
}

// handOut prints what the user gets. It is the only time that the secret key is shown.
func (o handing) handOut(env environment, made invite.Invite, link string) error {
	text := fmt.Sprintf("Link        %s\nEmail       %s\nSecret key  %s\nUsable until %s, once. The secret key is not shown again.\n",
		link, made.Email, made.SecretKey.Reveal(), inUTC(made.ExpiresAt))
	if o.Mail {
		text = fmt.Sprintf("The link is mailed to %s. The secret key is not: hand it over by another way.\n", made.Email) + text
	}
	return o.print(env, map[string]any{
		"docId": made.DocID, "link": link, "email": made.Email, "client": made.Shop,
		"secretKey": made.SecretKey.Reveal(), "expiresAt": made.ExpiresAt.UTC(),
	}, text)
}

type listInvites struct{ asJSON }

func (o listInvites) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		users, err := r.Invites.List(ctx)
		if err != nil {
			return err
		}
		return printList(env, o.asJSON, users, "ID\tCLIENT\tEMAIL\tSTATE\tLINK UNTIL\tTOKEN USED\tFROM", func(u invite.User) []string {
			return []string{u.DocID, u.Shop, u.Email, string(u.State), inUTC(u.ExpiresAt), orNever(u.LastUsedAt), u.LastUsedAddr}
		})
	})
}

type revokeInvite struct {
	ID string `arg:"" name:"id" help:"Of the invite."`
}

func (o revokeInvite) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		if err := r.Invites.Revoke(ctx, o.ID); err != nil {
			return err
		}
		_, err := fmt.Fprintf(env.stdout, "%s is revoked.\n", o.ID)
		return err
	})
}
