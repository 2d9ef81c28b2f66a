package shop

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
)

// LetterInvite is the kind of letter that invites somebody to a team; its data is LetterData.
const LetterInvite = "shop invite"

// LetterData is what the letter needs to know.
type LetterData struct {
	Invite uuid.UUID `json:"invite"`
}

// Invited lists the invitations of a shop that nobody has accepted yet.
func (t *Team) Invited(ctx context.Context, code string) ([]Invited, error) {
	rows, err := t.queries.ShopInviteList(ctx, code)
	list := make([]Invited, len(rows))
	for i, row := range rows {
		list[i] = Invited{Email: row.Email, Role: Role(row.Role), Until: row.ExpiresAt}
	}
	return list, err
}

// Invite mails a link that brings its reader onto the team, for account.InviteFor; to one address at most once in account.InviteAgainAfter.
// Errors: shop.ErrMissing, shop.ErrRole, shop.ErrEmail, shop.ErrOnTeam, shop.ErrUnknownOwner for an owner of a shop whose application was
// accepted, account.ErrUnverified, *throttle.Error after account.InvitesPerDay.
func (t *Team) Invite(ctx context.Context, by Person, code, email string, role Role) error {
	email = mailaddr.Normal(email)
	if !mailaddr.Valid(email) {
		return ErrEmail
	}
	if err := t.rule.Check(ctx, t.queries, by.ID); err != nil {
		return err
	}
	if err := t.throttle.Take(ctx, account.Invitations, by.ID.String()); err != nil {
		return err
	}
	return t.change(ctx, by, code, func(tx pgx.Tx, mine Role) (Change, error) {
		queries := db.New(tx)
		there, err := queries.ShopInviteGet(ctx, code, email)
		switch {
		case err != nil:
			return Change{}, err
		case there.Member:
			return Change{}, ErrOnTeam
		case !mine.MayManage(role), there.Role != "" && !mine.MayManage(Role(there.Role)):
			return Change{}, ErrRole
		}
		if role.May(Own) {
			if known, err := ProofIn(ctx, queries, code, uuid.Nil); err != nil || !known.MayOwn() {
				return Change{}, errors.Join(err, ErrUnknownOwner)
			}
		}
		id := uuid.New()
		letter, err := queries.ShopInviteAdd(ctx, db.ShopInviteAddParams{
			ID: id, ClientCode: code, Email: email, Role: string(role), InvitedBy: by.ID,
			WorksFor: account.InviteFor, AgainAfter: account.InviteAgainAfter,
		})
		if err == nil && letter {
			err = t.mail.Add(ctx, tx, mail.Request{Kind: LetterInvite, Key: LetterInvite + "/" + id.String(), Data: LetterData{id}})
		}
		return Change{Action: "member invited", Detail: email + ", " + string(role)}, err
	})
}

// Withdraw ends an invitation that nobody has accepted. If it has already ended, Withdraw does nothing. Errors: shop.ErrMissing,
// shop.ErrRole.
func (t *Team) Withdraw(ctx context.Context, by Person, code, email string) error {
	return t.change(ctx, by, code, func(tx pgx.Tx, mine Role) (Change, error) {
		queries := db.New(tx)
		there, err := queries.ShopInviteGet(ctx, code, email)
		if err != nil || there.Role == "" {
			return Change{}, err
		}
		if !mine.MayManage(Role(there.Role)) {
			return Change{}, ErrRole
		}
		_, err = queries.ShopInviteDrop(ctx, code, email)
		return Change{Action: "invitation withdrawn", Detail: email}, err
	})
}

// Signed is an invitation whose link was made, for the letter.
type Signed struct {
	Email, Business, InvitedBy string
	Role                       Role
	Token                      secret.Text
}

// Sign makes the link's token when the letter is written, so that it never waits in a queue. The error is pgx.ErrNoRows if there is
// nothing left to write.
func Sign(ctx context.Context, queries *db.Queries, invite uuid.UUID) (Signed, error) {
	token := rand.Text()
	row, err := queries.ShopInviteSign(ctx, hash(token), invite)
	return Signed{Email: row.Email, Business: row.Business, InvitedBy: row.InvitedBy, Role: Role(row.Role), Token: secret.New(token)}, err
}

// FindInvite returns what a link invites to. Errors: shop.ErrInvite, or shop.ErrInviteUsed together with the invitation.
func (t *Team) FindInvite(ctx context.Context, token secret.Text) (Invitation, error) {
	row, err := t.queries.ShopInviteFind(ctx, hash(token.Reveal()))
	if errors.Is(err, pgx.ErrNoRows) {
		return Invitation{}, ErrInvite
	}
	if err == nil && row.Used {
		err = ErrInviteUsed
	}
	return Invitation{
		Code: row.ClientCode, Business: row.Business, Email: row.Email, Role: Role(row.Role), Account: row.Account,
	}, err
}

// Join brings a person onto the team through a link to that person's address, once. Errors: shop.ErrInvite.
func (t *Team) Join(ctx context.Context, by Person, token secret.Text) error {
	return pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error { return t.JoinIn(ctx, tx, by, token) })
}

// JoinIn is Join within a transaction.
func (t *Team) JoinIn(ctx context.Context, tx pgx.Tx, by Person, token secret.Text) error {
	queries := db.New(tx)
	found, err := queries.ShopInviteFind(ctx, hash(token.Reveal()))
	if err == nil {
		_, err = queries.ShopLock(ctx, found.ClientCode) // no application is accepted meanwhile
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrInvite
	}
	if err != nil {
		return err
	}
	used, err := queries.ShopInviteUse(ctx, hash(token.Reveal()), by.Email)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrInvite
	}
	if err != nil {
		return err
	}
	if Role(used.Role).May(Own) {
		known, err := ProofIn(ctx, queries, used.ClientCode, by.ID)
		if err != nil {
			return err
		}
		if known.MayOwn() {
			err = queries.MerchantAdminAddOfShop(ctx, by.ID, used.ClientCode)
		} else {
			used.Role = string(Manager) // the application was accepted since
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(
		queries.TeamJoin(ctx, used.ClientCode, by.ID, used.Role),
		queries.AccountVerify(ctx, by.ID), // the link was mailed to the address
		queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: by.Email, Action: "team joined", Subject: Subject(used.ClientCode), Reason: used.Role,
		}),
	)
}

func hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
