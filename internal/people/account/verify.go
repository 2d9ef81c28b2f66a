package account

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// LetterVerify is the kind of letter with a link that verifies an address; its data is LetterData.
const LetterVerify = "verify address"

// ErrUnverified means that the account has to verify its address first.
var ErrUnverified = fault.New(fault.Forbidden, "the account's address is not verified: its owner has to open the link "+
	"that was mailed there, or choose a new password at /reset")

// Verification says what people have to prove: staff and admin rights, invitations and submitted forms need a verified address, and staff
// and owners of live businesses need two-step sign-in.
type Verification struct {
	// Waived turns off the rule on addresses. It is for sites where everybody can read everybody's mail: a link in a public outbox proves
	// nothing.
	Waived bool
	// PasswordAlone lets staff and owners of live businesses do without two-step sign-in: the demo's accounts are shared.
	PasswordAlone bool
}

// Check returns ErrUnverified if an account has to verify its address first.
func (v Verification) Check(ctx context.Context, queries *db.Queries, account uuid.UUID) error {
	if v.Waived {
		return nil
	}
	verified, err := queries.AccountVerified(ctx, account)
	if err == nil && !verified {
		err = ErrUnverified
	}
	return err
}

// The limits on letters with such a link, so that nobody can fill mailboxes with them.
var (
	linksOfAccount = throttle.Limit{Subject: "verification account", Most: 5, Window: 24 * time.Hour}
	linksByNetwork = throttle.Limit{Subject: "verification network", Most: 60, Window: time.Hour}
)

// AskVerification orders another letter with a link that verifies an account's address. The error is *throttle.Error beyond five
// requests of an account in a day, or 60 from a network in an hour.
func (a *Accounts) AskVerification(ctx context.Context, account uuid.UUID, from netip.Addr) error {
	counts := []throttle.Count{{Limit: linksByNetwork, What: throttle.Network(from).String()}, {Limit: linksOfAccount, What: account.String()}}
	if err := a.throttle.TakeAll(ctx, counts); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error { return a.orderVerification(ctx, tx, account) })
}

func (a *Accounts) orderVerification(ctx context.Context, tx pgx.Tx, account uuid.UUID) error {
	return a.mail.Add(ctx, tx, mail.Request{Kind: LetterVerify, Key: "verify/" + uuid.NewString(), Data: LetterData{account}})
}

// VerifyFor is how long a link that verifies an address works.
const VerifyFor = 7 * 24 * time.Hour

// NewVerificationToken makes the secret part of a link that verifies an account's address. It is made when the
// letter is written, so that no token waits in a queue.
func NewVerificationToken(ctx context.Context, queries *db.Queries, account uuid.UUID) (secret.Text, error) {
	token := newToken()
	return secret.New(token), queries.VerificationAdd(ctx, hashToken(token), account, VerifyFor)
}

// FindVerification returns the address that a link verifies, or ErrLink if it does not work.
func (a *Accounts) FindVerification(ctx context.Context, token secret.Text) (email string, err error) {
	row, err := a.queries.VerificationFind(ctx, hashToken(token.Reveal()))
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrLink
	}
	return row.Email, err
}

// Verify verifies an account's address through a mailed link. account is the signed-in one: the owner of an address who opens the link of a
// stranger's account must not verify that account. The error is ErrLink.
func (a *Accounts) Verify(ctx context.Context, account uuid.UUID, token secret.Text) error {
	row, err := a.queries.VerificationFind(ctx, hashToken(token.Reveal()))
	if errors.Is(err, pgx.ErrNoRows) || err == nil && row.ID != account {
		return ErrLink
	}
	if err != nil {
		return err
	}
	return a.queries.AccountVerify(ctx, account)
}
