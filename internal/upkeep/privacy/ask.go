package privacy

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
)

// EraseAfter is how long an erasure waits. Until then the person can cancel it. The privacy policy
// (internal/site/legal/privacy.go) repeats it.
const EraseAfter = 7 * 24 * time.Hour

// ErrTyped means that the typed text is not the account's address.
var ErrTyped = fault.New(fault.Invalid, "not the account's address")

// The letters to the person of an account, by mail.Request.Kind. The data of the first three is AccountLetter.
const (
	LetterErasing = "account erasing" // asked for
	LetterKept    = "account kept"    // cancelled
	LetterHeld    = "account held"    // could not be done when its time came
	LetterErased  = "account erased"  // done; its data is LastLetter
)

// AccountLetter names the account that a letter goes to.
type AccountLetter struct {
	Account uuid.UUID `json:"account"`
	Due     time.Time `json:"due,omitzero"`
}

// LastLetter names an address that is stored nowhere else any more. The letter and its job are deleted once it is sent.
type LastLetter struct {
	To string `json:"to"`
}

// AskErasure orders the erasure of an account after EraseAfter, ends its other sessions and writes to its owner. Asking again changes
// nothing. Errors: ErrTyped, *HeldError.
func (p *Privacy) AskErasure(ctx context.Context, h account.Holder, typed string) error {
	if !strings.EqualFold(typed, h.Email) {
		return ErrTyped
	}
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		person, err := queries.ErasureAccountLock(ctx, h.ID)
		if err != nil {
			return err
		}
		if err := held(ctx, queries, person.ID); err != nil {
			return err
		}
		id := uuid.New()
		added, err := queries.ErasureAskAccount(ctx, id, &h.ID, EraseAfter)
		if err != nil || added == 0 {
			return err
		}
		if _, err := queries.SessionEndAll(ctx, h.ID, h.Session); err != nil {
			return err
		}
		return p.note(ctx, tx, h, account.EventErasing, mail.Request{
			Kind: LetterErasing, Key: LetterErasing + "/" + id.String(), Data: AccountLetter{Account: h.ID, Due: time.Now().Add(EraseAfter)},
		})
	})
}

// note records an event in the account's security log and in the audit log, and queues a letter to the account's owner.
func (p *Privacy) note(ctx context.Context, tx pgx.Tx, h account.Holder, kind account.EventKind, letter mail.Request) error {
	queries := db.New(tx)
	err := queries.AccountEventAdd(ctx, db.AccountEventAddParams{AccountID: h.ID, Kind: string(kind), Session: h.Session})
	if err == nil {
		err = queries.AuditAdd(ctx, db.AuditAddParams{Actor: h.Email, Action: string(kind), Subject: "account " + h.ID.String()})
	}
	letter.Later = true
	return errors.Join(err, p.mail.Add(ctx, tx, letter))
}

// KeepAccount cancels an ordered erasure. It changes nothing if none is ordered.
func (p *Privacy) KeepAccount(ctx context.Context, h account.Holder) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		dropped, err := db.New(tx).ErasureAskDrop(ctx, h.ID)
		if err != nil || dropped == 0 {
			return err
		}
		return p.note(ctx, tx, h, account.EventKept, mail.Request{
			Kind: LetterKept, Key: LetterKept + "/" + uuid.NewString(), Data: AccountLetter{Account: h.ID},
		})
	})
}

// Ordered returns when an account will be erased; the zero time if no erasure is ordered.
func (p *Privacy) Ordered(ctx context.Context, id uuid.UUID) (time.Time, error) {
	row, err := p.queries.ErasureAskOfAccount(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && row.DueAt == nil {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	return *row.DueAt, nil
}
