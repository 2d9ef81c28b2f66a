package shop

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
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
func (s *Shops) Invited(ctx context.Context, code string) ([]Invited, error) {
	return s.queries.ShopInviteList(ctx, code)
}

// Invite mails a link that brings its reader onto the team, for account.InviteFor; to one address at most once in account.InviteAgainAfter.
// Errors: ErrMissing, ErrRole, ErrEmail, ErrOnTeam, ErrUnknownOwner for an owner of a shop whose application was
// accepted, account.ErrUnproved, account.ErrUnverified, *throttle.Error after account.InvitesPerDay.
func (s *Shops) Invite(ctx context.Context, by Person, code, email string, role Role) error {
	if err := by.Proof.Check(); err != nil {
		return err
	}
	email = typed.Email(email)
	if !typed.IsEmail(email) {
		return ErrEmail
	}
	if err := s.Rule.Check(ctx, s.queries, by.ID); err != nil {
		return err
	}
	if err := s.throttle.Take(ctx, account.Invitations, by.ID.String()); err != nil {
		return err
	}
	return s.change(ctx, by, code, func(tx pgx.Tx, mine Role) (Change, error) {
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
			ID: id, ShopCode: code, Email: email, Role: string(role), InvitedBy: by.ID,
			WorksFor: account.InviteFor, AgainAfter: account.InviteAgainAfter,
		})
		if err == nil && letter {
			err = s.Mail.Add(ctx, tx, mail.Request{Kind: LetterInvite, Key: LetterInvite + "/" + id.String(), Data: LetterData{id}})
		}
		return Change{Action: "member invited", Detail: email + ", " + string(role)}, err
	})
}

// Withdraw ends an invitation that nobody has accepted. If it has already ended, Withdraw does nothing. Errors: ErrMissing,
// ErrRole.
func (s *Shops) Withdraw(ctx context.Context, by Person, code, email string) error {
	return s.change(ctx, by, code, func(tx pgx.Tx, mine Role) (Change, error) {
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

// FindInvite returns what a link invites to. Errors: ErrInvite, or ErrInviteUsed together with the invitation.
func (s *Shops) FindInvite(ctx context.Context, token secret.Text) (Invitation, error) {
	found, err := s.queries.ShopInviteFind(ctx, hash(token.Reveal()))
	if err == nil && found.Used {
		err = ErrInviteUsed
	}
	return found, none(err, ErrInvite)
}

// Join brings a person onto the team through a link to that person's address, once. Errors: ErrInvite.
func (s *Shops) Join(ctx context.Context, by Person, token secret.Text) error {
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error { return s.JoinIn(ctx, tx, by, token) })
}

// JoinIn is Join within a transaction.
func (s *Shops) JoinIn(ctx context.Context, tx pgx.Tx, by Person, token secret.Text) error {
	queries := db.New(tx)
	found, err := queries.ShopInviteFind(ctx, hash(token.Reveal()))
	if err == nil {
		_, err = queries.ShopLock(ctx, found.ShopCode) // no application is accepted meanwhile
	}
	if err != nil {
		return none(err, ErrInvite)
	}
	used, err := queries.ShopInviteUse(ctx, hash(token.Reveal()), by.Email)
	if err != nil {
		return none(err, ErrInvite)
	}
	if Role(used.Role).May(Own) {
		known, err := ProofIn(ctx, queries, used.ShopCode, by.ID)
		if err != nil {
			return err
		}
		if known.MayOwn() {
			err = queries.MerchantAdminAddOfShop(ctx, by.ID, used.ShopCode)
		} else {
			used.Role = string(Manager) // the application was accepted since
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(
		queries.TeamJoin(ctx, used.ShopCode, by.ID, used.Role),
		queries.AccountVerify(ctx, by.ID), // the link was mailed to the address
		queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: by.Email, Action: "team joined", Subject: Subject(used.ShopCode), Reason: used.Role,
		}),
	)
}

func hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
