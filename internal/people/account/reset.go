package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// These are the letters about accounts; the data of each is LetterData.
const (
	LetterReset   = "password reset"   // with a link to a new password
	LetterChanged = "password changed" // lets a person notice a change by somebody else, as the letters about a second step do
)

// LetterData is what the letters about an account need.
type LetterData struct {
	Account uuid.UUID `json:"account"`
}

// ErrLink means that a link to a new password was used, has expired or was never made.
var ErrLink = fault.New(fault.Gone, "no such link")

// AskReset queues a letter with a link to a new password. It does not reveal whether the address has an account. The error is
// fault.Problems for an invalid address, or *throttle.Error. The password of c is not used.
func (a *Accounts) AskReset(ctx context.Context, c Credentials) error {
	email := typed.Email(c.Email)
	if !typed.IsEmail(email) {
		return fault.Problems{"email": noAddress}
	}
	row, err := a.find(ctx, email)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	// The request stays counted, so that nobody can flood a mailbox.
	if err := a.throttle.TakeAll(ctx, a.guess(a.limits.reset, a.known(c.Device, row, false), email, c)); err != nil {
		return err
	}
	if row.ID == uuid.Nil {
		// An address without an account takes the same time: a letter to nobody is queued, and its writer finds nothing to write.
		row.ID = uuid.New()
	}
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		return a.mail.Add(ctx, tx, mail.Request{Kind: LetterReset, Key: "reset/" + uuid.NewString(), Data: LetterData{row.ID}})
	})
}

// ResetFor is how long a link to a new password works.
const ResetFor = 30 * time.Minute

// NewResetToken makes the secret part of a link to a new password, which works for ResetFor and replaces older links of the
// account. It is made when the letter is written, so that it never waits in a queue.
func NewResetToken(ctx context.Context, queries *db.Queries, account uuid.UUID) (secret.Text, error) {
	token := newToken()
	return secret.New(token), queries.PasswordResetAdd(ctx, hashToken(token), account, ResetFor)
}

// FindReset returns whose link to a new password this is, or ErrLink if it no longer works.
func (a *Accounts) FindReset(ctx context.Context, token secret.Text) (email string, err error) {
	row, err := a.queries.PasswordResetFind(ctx, hashToken(token.Reveal()))
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrLink
	}
	return row.Email, err
}

// Reset sets a new password through a mailed link, once, ends every session of the account and returns its address. It forgets the failed
// sign-ins to the account. If the address was not confirmed before, it also removes the account's passkeys, one-time codes, recovery codes
// and kitchen screens. The error is ErrLink or fault.Problems.
func (a *Accounts) Reset(ctx context.Context, token, password, confirm secret.Text, from netip.Addr) (email string, err error) {
	// A hash is expensive, so nobody gets one without a valid link.
	if email, err = a.FindReset(ctx, token); err != nil {
		return "", err
	}
	row, err := a.find(ctx, email)
	if err == nil {
		err = a.newPassword(row, password, confirm).Err()
	}
	if err != nil {
		return "", err
	}
	ctx, leave, err := a.places.Enter(ctx, throttle.From(from), throttle.Known(row.ID.String())) // whoever has the link
	if err != nil {
		return "", err
	}
	defer leave()
	if err := a.differs(ctx, row, token, password); err != nil {
		return "", err
	}
	hash, err := a.hasher.Hash(ctx, typed.Password(password))
	if err != nil {
		return "", err
	}
	err = pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		account, err := queries.PasswordResetUse(ctx, hashToken(token.Reveal()))
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrLink
		}
		if err != nil {
			return err
		}
		if err := a.evict(ctx, tx, account, email); err != nil {
			return err
		}
		// The link was mailed to the address, which verifies it.
		return errors.Join(queries.AccountVerify(ctx, account), a.setPassword(ctx, tx, account, hash, password, uuid.Nil),
			happened(ctx, queries, Holder{ID: account}, EventPasswordMailed, from.String()))
	})
	if err != nil {
		return "", err
	}
	return email, a.forgive(ctx, email)
}

// forgive forgets the failed sign-ins to an account, whose password is another one now. A network that has failed at many accounts still
// has to wait.
func (a *Accounts) forgive(ctx context.Context, email string) error {
	return errors.Join(
		a.throttle.ForgetAll(ctx, a.limits.account, email), a.throttle.ForgetAll(ctx, a.limits.device, email),
		a.throttle.Forget(ctx, a.limits.overall, email), a.throttle.Forget(ctx, a.limits.devices, email))
}

// evict removes every other way to sign in to an account whose address nobody has confirmed: anybody may have signed up with the address,
// and left passkeys that open the account, codes that lock its owner out, or a kitchen screen that sees its orders. Factors set up after
// the confirmation are the owner's, and stay.
func (a *Accounts) evict(ctx context.Context, tx pgx.Tx, account uuid.UUID, email string) error {
	queries := db.New(tx)
	verified, err := queries.AccountVerified(ctx, account)
	if err != nil || verified {
		return err
	}
	if _, err := queries.AccountLock(ctx, account); err != nil { // so that none is added meanwhile
		return err
	}
	if err := queries.ScreenEndOf(ctx, account); err != nil {
		return err
	}
	h := Holder{ID: account, Email: email}
	keys, err := queries.PasskeyRemoveAll(ctx, account)
	if err == nil && keys > 0 {
		err = a.noted(ctx, tx, h, email, EventPasskeyRemoved)
	}
	if err != nil {
		return err
	}
	confirmed, err := queries.TotpEvict(ctx, account)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	err = errors.Join(err, queries.RecoveryCodeDrop(ctx, account))
	if err == nil && confirmed {
		err = a.noted(ctx, tx, h, email, EventTwoStepOff)
	}
	return err
}

// presentTries limits how often a new password may be tried with one link. Otherwise somebody who reads a person's mail could find out the
// present password by trying.
var presentTries = throttle.Limit{Subject: "reset to the present password", Most: 5, Window: ResetFor}

// differs returns fault.Problems for the present password of an account, or *throttle.Error after too many.
func (a *Accounts) differs(ctx context.Context, row db.Account, token, password secret.Text) error {
	link := string(hashToken(token.Reveal()))
	if err := a.throttle.Take(ctx, presentTries, link); err != nil {
		return err
	}
	same, err := a.hasher.Verify(ctx, row.PasswordHash, typed.Password(password))
	if err == nil && same {
		err = samePassword()
	}
	return err
}

// ChangePassword sets a new password for a person who knows the old one, and ends the account's other sessions; keep is the
// handle of the one that stays. It refuses the present password as the new one. The error is ErrCredentials, fault.Problems or a limit of
// SignIn's.
func (a *Accounts) ChangePassword(ctx context.Context, user User, keep uuid.UUID, old Credentials, password, confirm secret.Text) error {
	row, err := a.find(ctx, user.Email)
	if err == nil {
		err = a.newPassword(row, password, confirm).Err()
	}
	if err != nil {
		return err
	}
	old.session = user.ID
	ctx, leave, err := a.places.Enter(ctx, a.who(old)...)
	if err != nil {
		return err
	}
	defer leave()
	if _, err := a.SignIn(ctx, old); err != nil {
		return err
	}
	if typed.Password(password).Reveal() == typed.Password(old.Password).Reveal() { // which is the right one
		return samePassword()
	}
	hash, err := a.hasher.Hash(ctx, typed.Password(password))
	if err != nil {
		return err
	}
	err = pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		return errors.Join(
			a.setPassword(ctx, tx, user.ID, hash, password, keep), happened(ctx, db.New(tx), Holder{ID: user.ID, Session: keep}, EventPassword, ""),
		)
	})
	if err != nil {
		return err
	}
	return a.forgive(ctx, row.Email)
}

func (a *Accounts) setPassword(ctx context.Context, tx pgx.Tx, account uuid.UUID, hash string, password secret.Text, keep uuid.UUID) error {
	queries := db.New(tx)
	if _, err := queries.AccountSetPassword(ctx, hash, short(typed.Password(password)), account); err != nil {
		return err
	}
	if _, err := queries.SessionEndAll(ctx, account, keep); err != nil {
		return err
	}
	if err := queries.HalfSessionEndAll(ctx, account); err != nil {
		return err
	}
	// Somebody who had the old password may have had notices sent to a browser.
	if err := queries.NoticeBrowserDrop(ctx, account); err != nil {
		return err
	}
	return a.mail.Add(ctx, tx, mail.Request{Kind: LetterChanged, Key: "password/" + uuid.NewString(), Data: LetterData{account}, Later: true})
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
