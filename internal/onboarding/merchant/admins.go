package merchant

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
)

// Letter is the kind of letter that invites an admin; its data is LetterData.
const Letter = "merchant admin"

// LetterData is what the letter needs to know.
type LetterData struct {
	Invite uuid.UUID `json:"invite"`
}

// These are errors about invitations.
var (
	ErrEmail = fault.New(fault.Invalid, "not an email address")
	// ErrInvite means that an invitation has ended, was never made or is for another address.
	ErrInvite = fault.New(fault.Gone, "no such invitation for this address")
	// ErrInviteUsed means that somebody accepted it.
	ErrInviteUsed = fault.New(fault.Gone, "the invitation was used")
)

// Admin is a person who runs a merchant, or is invited to.
type Admin struct {
	Email, Name string
	Until       time.Time // when the invitation ends; zero for an admin
}

// Admins lists who runs a merchant, then who is invited, for one of its admins. Errors: ErrMissing.
func (m *Merchants) Admins(ctx context.Context, by, id uuid.UUID) ([]Admin, error) {
	if _, err := m.One(ctx, by, id); err != nil {
		return nil, err
	}
	rows, err := m.queries.MerchantAdminList(ctx, id)
	if err != nil {
		return nil, err
	}
	var list []Admin
	for _, row := range rows {
		list = append(list, Admin{Email: row.Email, Name: row.Name})
	}
	invited, err := m.queries.MerchantInviteList(ctx, id)
	for _, row := range invited {
		list = append(list, Admin{Email: row.Email, Until: row.ExpiresAt})
	}
	return list, err
}

// Invite mails a link that makes its reader an admin and works for account.InviteFor. It mails one address at most once in
// account.InviteAgainAfter. An admin owns the shop, too. Errors: ErrMissing, ErrEmail, shop.ErrUnknownOwner for a shop whose application
// was accepted, account.ErrUnproved, account.ErrUnverified, *throttle.Error after account.InvitesPerDay.
func (m *Merchants) Invite(ctx context.Context, person shop.Person, id uuid.UUID, email string) error {
	by := person.ID
	if err := errors.Join(person.Proof.Check(), m.mayInvite(ctx, m.queries, by, id)); err != nil {
		return err
	}
	email = typed.Email(email)
	if !typed.IsEmail(email) {
		return ErrEmail
	}
	if err := m.rule.Check(ctx, m.queries, by); err != nil {
		return err
	}
	if err := m.throttle.Take(ctx, account.Invitations, by.String()); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		if _, err := lock(ctx, queries, id); err != nil {
			return err
		}
		if err := m.mayInvite(ctx, queries, by, id); err != nil { // again, under the lock: the inviter may have been removed
			return err
		}
		invite, err := queries.MerchantInviteAdd(ctx, db.MerchantInviteAddParams{
			ID: uuid.New(), MerchantUuid: id, Email: email, InvitedBy: by, WorksFor: account.InviteFor, AgainAfter: account.InviteAgainAfter,
		})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return m.mail.Add(ctx, tx, mail.Request{Kind: Letter, Key: "merchant admin/" + invite.String(), Data: LetterData{invite}})
	})
}

// mayInvite reports why a person may not invite somebody to a merchant's dashboard.
func (m *Merchants) mayInvite(ctx context.Context, queries *db.Queries, by, id uuid.UUID) error {
	code, err := queries.MerchantShopOfAdmin(ctx, id, by)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrMissing
	}
	if err != nil {
		return err
	}
	known, err := shop.ProofIn(ctx, queries, code, uuid.Nil)
	if err == nil && !known.MayOwn() {
		err = shop.ErrUnknownOwner
	}
	return err
}

// lock locks a merchant, and the team of its shop as shop.Shops does, and returns the shop's code; "" for none.
func lock(ctx context.Context, queries *db.Queries, id uuid.UUID) (code string, err error) {
	code, err = queries.MerchantLock(ctx, id)
	if err == nil && code != "" {
		_, err = queries.ShopLock(ctx, code)
	}
	return code, err
}

// Signed is an invitation whose link was made, for the letter.
type Signed struct {
	Email, Merchant, InvitedBy string
	Token                      secret.Text
}

// Sign makes the link's token when the letter is written, so that it never waits in a queue. The error is pgx.ErrNoRows if there is
// nothing left to write.
func Sign(ctx context.Context, queries *db.Queries, invite uuid.UUID) (Signed, error) {
	token := rand.Text()
	row, err := queries.MerchantInviteSign(ctx, hash(token), invite)
	return Signed{Email: row.Email, Merchant: row.Merchant, InvitedBy: row.InvitedBy, Token: secret.New(token)}, err
}

// Invited says to what a link invites, and whom.
type Invited = db.MerchantInviteFindRow

// FindInvite returns what a link invites to. Errors: ErrInvite; ErrInviteUsed, with the invitation.
func (m *Merchants) FindInvite(ctx context.Context, token string) (Invited, error) {
	found, err := m.queries.MerchantInviteFind(ctx, hash(token))
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = ErrInvite
	case err == nil && found.Used:
		err = ErrInviteUsed
	}
	return found, err
}

// Join makes a person an admin through a link to that person's address, once. Errors: ErrInvite.
func (m *Merchants) Join(ctx context.Context, by shop.Person, token string) (merchant uuid.UUID, err error) {
	err = pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		found, err := queries.MerchantInviteFind(ctx, hash(token))
		if err == nil {
			_, err = lock(ctx, queries, found.Uuid)
		}
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrInvite
		}
		if err != nil {
			return err
		}
		used, err := queries.MerchantInviteUse(ctx, hash(token), by.Email)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrInvite
		}
		if err != nil {
			return err
		}
		known, err := shop.ProofIn(ctx, queries, used.ShopCode, by.ID)
		if err != nil {
			return err
		}
		if !known.MayOwn() { // the application was accepted since
			return ErrInvite
		}
		merchant = used.MerchantUuid
		// The link was mailed to the address.
		if err := queries.AccountVerify(ctx, by.ID); err != nil {
			return err
		}
		if err := queries.MerchantAdminAdd(ctx, merchant, by.ID); err != nil {
			return err
		}
		return queries.ShopMemberJoin(ctx, by.ID, merchant)
	})
	return merchant, err
}

func hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
