package account

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/mail"
)

// These letters let a person notice when somebody else changes the second step; the data of each is LetterData.
const (
	LetterTwoStepOn    = "two-step on"
	LetterTwoStepMoved = "two-step moved" // to another app
	LetterTwoStepOff   = "two-step off"
	LetterRecoveryUsed = "recovery code used"
)

// These errors say why a second step cannot be changed.
var (
	ErrNoSetup = fault.New(fault.Conflict, "no second step is being set up here")
	ErrTwoStep = fault.New(fault.Conflict,
		"A second step cannot be set up: this account already has one, or it is a demo account that everybody shares.")
	ErrNoStep = fault.New(fault.Conflict, "the account has no second step")
	ErrNeeded = fault.New(fault.Conflict,
		"Your account needs a second step, and this is its last one. Add another passkey or set up codes first.")
)

// TwoStep is the second step of an account.
type TwoStep struct {
	On       bool  // it has one-time codes
	Left     int32 // recovery codes not used
	Needed   bool  // staff and owners of a live business must have one
	Asked    bool  // signing in takes more than the password
	Passkeys int32
	Shared   bool // the account is one of the demo's, whose sign-in cannot be changed
}

// Missing reports whether the account needs a second step and has none.
func (t TwoStep) Missing() bool { return t.Needed && !t.On && t.Passkeys == 0 }

// Setup is what an app for codes needs to know.
type Setup struct {
	URL secret.Text // otpauth://…, for a QR code
	Key secret.Text // in base32, to type
}

// Holder is a person who changes their second step, and the session in which they do it.
type Holder struct {
	ID      uuid.UUID
	Email   string
	Session uuid.UUID // its handle
}

// TwoStepOf returns the second step of an account.
func (a *Accounts) TwoStepOf(ctx context.Context, account uuid.UUID) (TwoStep, error) {
	row, err := a.queries.TwoStepGet(ctx, account)
	row.Needed = row.Needed && !a.rule.PasswordAlone
	return TwoStep(row), err
}

// needed reports whether an account must have a second step.
func (a *Accounts) needed(ctx context.Context, queries *db.Queries, account uuid.UUID) (bool, error) {
	if a.rule.PasswordAlone {
		return false, nil
	}
	return queries.TwoStepNeeded(ctx, account)
}

// StartTwoStepByPassword is StartTwoStep for somebody who knows the password. The error may also be SignIn's.
func (a *Accounts) StartTwoStepByPassword(ctx context.Context, h Holder, c Credentials) error {
	c.Email, c.session = h.Email, h.ID
	if _, err := a.SignIn(ctx, c); err != nil {
		return err
	}
	return a.StartTwoStep(ctx, h)
}

// StartTwoStep makes a key of one-time codes for somebody who has just proved who they are. It counts for nothing until ConfirmTwoStep. The
// error is ErrTwoStep.
func (a *Accounts) StartTwoStep(ctx context.Context, h Holder) error {
	rows, err := a.queries.TotpStart(ctx, a.newKey(h.ID), h.Session, h.ID)
	if err == nil && rows == 0 {
		err = ErrTwoStep
	}
	return err
}

// newKey makes a key of one-time codes, sealed.
func (a *Accounts) newKey(account uuid.UUID) []byte {
	raw := make([]byte, keySize)
	_, _ = rand.Read(raw) // never fails
	return a.box.Seal(raw, totpPlace(account))
}

// SetupFor is how long a session may take to set up one-time codes, or to replace them.
const SetupFor = time.Hour

// PendingTwoStep returns the key that this session sets up, or to which it moves the second step. The error is ErrNoSetup once SetupFor has
// passed.
func (a *Accounts) PendingTwoStep(ctx context.Context, h Holder) (Setup, error) {
	row, err := pending(ctx, a.queries, h)
	if err != nil {
		return Setup{}, err
	}
	raw, err := a.box.Open(row.Sealed, totpPlace(h.ID))
	if err != nil {
		return Setup{}, err
	}
	key, err := appKey(a.issuer, h.Email, raw)
	if err != nil {
		return Setup{}, err
	}
	return Setup{URL: secret.New(key.URL()), Key: secret.New(key.Secret())}, nil
}

// pending returns the row of a key that waits for its first code. The error is ErrNoSetup.
func pending(ctx context.Context, queries *db.Queries, h Holder) (db.TotpPendingRow, error) {
	row, err := queries.TotpPending(ctx, h.ID, h.Session, SetupFor)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNoSetup
	}
	return row, err
}

// MoveTwoStep makes a key for another app, for the password and a code of either kind. The present key stays good until ConfirmTwoStep. The
// error is SignIn's, ErrCode or ErrNoStep.
func (a *Accounts) MoveTwoStep(ctx context.Context, h Holder, c Credentials, code secret.Text) error {
	return a.byBoth(ctx, h, c, code, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := db.New(tx).TotpMove(ctx, a.newKey(h.ID), &h.Session, h.ID)
		if err == nil && rows == 0 {
			err = ErrNoStep
		}
		return err
	})
}

// byBoth does what takes the password and a code of either kind. The error is SignIn's, ErrCode or ErrNoStep.
func (a *Accounts) byBoth(ctx context.Context, h Holder, c Credentials, code secret.Text, work func(context.Context, pgx.Tx) error) error {
	c.Email, c.session = h.Email, h.ID
	if _, err := a.SignIn(ctx, c); err != nil {
		return err
	}
	return a.byCode(ctx, h, c, code, work)
}

// byCode does what takes a code of either kind. The error is ErrCode, ErrNoStep or *throttle.Error.
func (a *Accounts) byCode(ctx context.Context, h Holder, c Credentials, code secret.Text, work func(context.Context, pgx.Tx) error) error {
	c.session = h.ID
	return a.guarded(ctx, h, c, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := a.spend(ctx, tx, h, code); err != nil {
			return err
		}
		return work(ctx, tx)
	})
}

// ConfirmTwoStep turns the second step on, or moves it to another app, with a first code, and ends the account's other sessions. It returns
// the recovery codes, which are not kept; none after a move, which leaves them as they are. The error is ErrCode, ErrNoSetup or
// *throttle.Error.
func (a *Accounts) ConfirmTwoStep(ctx context.Context, h Holder, c Credentials, code secret.Text) (codes []secret.Text, err error) {
	c.session = h.ID
	err = a.guarded(ctx, h, c, func(ctx context.Context, tx pgx.Tx) error {
		queries := db.New(tx)
		row, err := pending(ctx, queries, h)
		if err != nil {
			return err
		}
		step, err := a.step(row.Sealed, h.ID, bare(code), 0)
		if err != nil {
			return err
		}
		rows, err := queries.TotpConfirm(ctx, db.TotpConfirmParams{Step: step, AccountID: h.ID, SetupBy: h.Session, Sealed: row.Sealed})
		if err == nil && rows == 0 {
			err = ErrNoSetup
		}
		if err != nil {
			return err
		}
		if row.Moving {
			return a.changed(ctx, tx, h, h.Email, EventTwoStepMoved, LetterTwoStepMoved, LetterData{h.ID})
		}
		var hashes [][]byte
		codes, hashes = newRecovery(h.ID)
		return errors.Join(queries.RecoveryCodePut(ctx, h.ID, hashes), queries.SessionPassed(ctx, string(ByCode), h.Session, h.ID),
			a.changed(ctx, tx, h, h.Email, EventTwoStepOn, LetterTwoStepOn, LetterData{h.ID}))
	})
	return codes, err
}

// NewRecoveryCodes replaces an account's recovery codes, in exchange for a code of either kind, and ends the account's other sessions,
// because an old code may have opened one. The error is ErrCode, ErrNoStep or *throttle.Error.
func (a *Accounts) NewRecoveryCodes(ctx context.Context, h Holder, c Credentials, code secret.Text) (codes []secret.Text, err error) {
	err = a.byCode(ctx, h, c, code, func(ctx context.Context, tx pgx.Tx) error {
		var hashes [][]byte
		codes, hashes = newRecovery(h.ID)
		return errors.Join(db.New(tx).RecoveryCodePut(ctx, h.ID, hashes), a.changed(ctx, tx, h, h.Email, EventRecoveryNew, "", nil))
	})
	return codes, err
}

// RemoveTwoStep turns the second step off, for the password and a code of either kind, and ends the account's other sessions. The error is
// SignIn's, ErrCode, ErrNoStep or ErrNeeded.
func (a *Accounts) RemoveTwoStep(ctx context.Context, h Holder, c Credentials, code secret.Text) error {
	return a.byBoth(ctx, h, c, code, func(ctx context.Context, tx pgx.Tx) error {
		queries := db.New(tx)
		if _, err := queries.AccountLock(ctx, h.ID); err != nil { // so that the last passkey is not removed meanwhile
			return lockError(err, ErrNoStep)
		}
		keys, err := queries.PasskeyCount(ctx, h.ID)
		if err == nil {
			err = a.spare(ctx, queries, h.ID, int(keys))
		}
		if err != nil {
			return err
		}
		rows, err := queries.TotpDrop(ctx, h.ID)
		if err == nil && rows == 0 {
			err = ErrNoStep
		}
		if err != nil {
			return err
		}
		return a.changed(ctx, tx, h, h.Email, EventTwoStepOff, LetterTwoStepOff, LetterData{h.ID})
	})
}

// spare returns ErrNeeded if an account needs a second step and has no factors left. The caller has locked the account.
func (a *Accounts) spare(ctx context.Context, queries *db.Queries, account uuid.UUID, left int) error {
	needed, err := a.needed(ctx, queries, account)
	if err == nil && needed && left == 0 {
		err = ErrNeeded
	}
	return err
}

// DropTwoStep turns off the second step of somebody who has lost it, for an operator. It also removes the passkeys and ends every session
// of the account. The error is ErrNobody or ErrNoStep.
func (a *Accounts) DropTwoStep(ctx context.Context, email, operator string) error {
	return a.of(ctx, email, func(tx pgx.Tx, id uuid.UUID) error {
		queries := db.New(tx)
		keys, err := queries.PasskeyRemoveAll(ctx, id)
		if err != nil {
			return err
		}
		codes, err := queries.TotpDrop(ctx, id)
		if err == nil && keys+codes == 0 {
			err = ErrNoStep
		}
		if err != nil {
			return err
		}
		return a.changed(ctx, tx, Holder{ID: id}, operator, EventTwoStepOff, LetterTwoStepOff, LetterData{id})
	})
}

// changed ends an account's other sessions after a factor has changed, because somebody with the old one may have opened them. It notes the
// change, by whoever made it, and tells the owner unless letter is "".
func (a *Accounts) changed(ctx context.Context, tx pgx.Tx, h Holder, by string, kind EventKind, letter string, data any) error {
	_, err := db.New(tx).SessionEndAll(ctx, h.ID, h.Session)
	if letter == "" {
		return errors.Join(err, a.noted(ctx, tx, h, by, kind))
	}
	return errors.Join(err, a.told(ctx, tx, h, by, kind, letter, data))
}

// told notes an event in the log and the audit log, and queues a letter about it.
func (a *Accounts) told(ctx context.Context, tx pgx.Tx, h Holder, by string, kind EventKind, letter string, data any) error {
	return errors.Join(a.noted(ctx, tx, h, by, kind),
		a.mail.Add(ctx, tx, mail.Request{Kind: letter, Key: letter + "/" + uuid.NewString(), Data: data, Later: true}))
}

// step returns the step of a sealed key whose code this is, after last. The error is ErrCode.
func (a *Accounts) step(sealed []byte, account uuid.UUID, code string, last int64) (int64, error) {
	raw, err := a.box.Open(sealed, totpPlace(account))
	if err != nil {
		return 0, err
	}
	key, err := appKey(a.issuer, "account", raw)
	if err != nil {
		return 0, err
	}
	step := matchStep(key, code, last, time.Now())
	if step == 0 {
		return 0, ErrCode
	}
	return step, nil
}

// totpPlace returns the context in which a key is sealed, so that a row cannot be moved to another account.
func totpPlace(account uuid.UUID) string { return "one-time codes " + account.String() }
