package compliance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/review"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
)

// Account is a bank account that a shop is paid into, or asks to be.
type Account struct {
	db.PayoutAccount
	Mandate
}

// State returns how far the account has come.
func (a *Account) State() state.Account {
	switch {
	case a.PassedAt != nil:
		return state.AccountPassed
	case a.Reason != "":
		return state.AccountReturned
	}
	return state.AccountWaiting
}

// accountChoices are what staff can decide about an account that waits.
var accountChoices = []review.Choice[state.Account]{
	{State: state.AccountPassed}, {State: state.AccountReturned, Why: "Say why, in words for the owners"},
}

// AccountLetter is what the writer of LetterAccount needs.
type AccountLetter struct {
	Shop    string        `json:"shop"`
	To      string        `json:"to"`
	By      string        `json:"by"`
	Account string        `json:"account"` // as Mandate.Shown has it
	State   state.Account `json:"state"`
	Reason  string        `json:"reason,omitempty"`
}

// accountPlace is the context in which an account is sealed.
func accountPlace(id, code string) string { return "payout account " + id + " of " + code }

// accountSubject names the accounts of a shop in the audit log.
func accountSubject(code string) string { return "payout account " + code }

// PaidInto returns the account that a shop was paid into at a moment, and the one that an owner has asked for since; nil for none.
func (s *Records) PaidInto(ctx context.Context, code string, at time.Time) (paid, asked *Account, err error) {
	rows, err := s.queries.PayoutAccountOf(ctx, code, at)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		one, err := s.account(row)
		switch {
		case errors.As(err, new(*secret.LostError)): // its owners say it anew
		case err != nil:
			return nil, nil, err
		case row.PassedAt == nil:
			asked = one
		case paid == nil:
			paid = one
		}
	}
	return paid, asked, nil
}

func (s *Records) account(row db.PayoutAccount) (*Account, error) {
	m, err := s.open(row.Sealed, accountPlace(row.ID.String(), row.ShopCode))
	return &Account{row, m}, err
}

// AskAccount asks, for an owner, that a shop is paid into an account. The one before stays the one that is paid until staff record that
// the acquirer has the new one. Errors: account.ErrUnproved, fault.Problems, shop.ErrMissing, shop.ErrRole.
func (s *Records) AskAccount(ctx context.Context, by shop.Person, code string, m Mandate) error {
	if err := by.Proof.Check(); err != nil {
		return err
	}
	m.tidy()
	if err := fault.Problems(m.check()).Err(); err != nil {
		return err
	}
	one, err := s.sealAccount(code, m)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		return shop.ChangeIn(ctx, tx, by, code, shop.Own, func(shop.Role) (shop.Change, error) {
			err := s.queries.WithTx(tx).PayoutAccountAsk(ctx, db.PayoutAccountAskParams{
				ID: one.ID, ShopCode: code, Sealed: one.Sealed, AskedBy: by.Email,
			})
			return shop.Change{}, errors.Join(err, s.tellOwners(ctx, tx, one, by.Email, state.AccountWaiting, ""))
		})
	})
}

func (s *Records) sealAccount(code string, m Mandate) (*Account, error) {
	id := uuid.New()
	text, err := json.Marshal(m)
	return &Account{db.PayoutAccount{ID: id, ShopCode: code, Sealed: s.box.Seal(text, accountPlace(id.String(), code))}, m}, err
}

// LoadAccount gives a shop of the demo an account, unless it has one.
func (s *Records) LoadAccount(ctx context.Context, code string, m Mandate) error {
	one, err := s.sealAccount(code, m)
	return errors.Join(err, s.queries.PayoutAccountDemo(ctx, one.ID, code, one.Sealed))
}

// tellOwners records in the audit log what somebody did about an account, and mails it to every owner of its shop.
func (s *Records) tellOwners(ctx context.Context, tx pgx.Tx, one *Account, by string, now state.Account, reason string) error {
	queries := s.queries.WithTx(tx)
	owners, err := queries.ShopOwners(ctx, one.ShopCode)
	for _, o := range owners {
		err = errors.Join(err, s.mail.Add(ctx, tx, mail.Request{
			Kind: LetterAccount, Key: fmt.Sprintf("%s/%s/%s/%s", LetterAccount, one.ID, now, o.ID),
			Data: AccountLetter{one.ShopCode, o.Email, by, one.Shown(), now, reason},
		}))
	}
	return errors.Join(err, queries.AuditAdd(ctx, db.AuditAddParams{
		Actor: by, Action: "payout account " + string(now), Subject: accountSubject(one.ShopCode),
		Reason: strings.TrimSpace(one.Shown() + "\n" + reason),
	}))
}

// AccountQueue returns a page, counted from 1, of the accounts in a state ("" for all), and reports whether another page follows.
func (s *Records) AccountQueue(ctx context.Context, in state.Account, page int) ([]db.PayoutAccountListRow, bool, error) {
	skip, atMost := review.Window(page)
	rows, err := s.queries.PayoutAccountList(ctx, in, skip, atMost)
	list, more := review.Page(rows)
	return list, more, err
}

// AccountCounts returns how many accounts are in each state.
func (s *Records) AccountCounts(ctx context.Context) (map[state.Account]int, error) {
	rows, err := s.queries.PayoutAccountCount(ctx)
	return review.Counts(rows, func(row db.PayoutAccountCountRow) (state.Account, int64) {
		return row.State, row.Accounts
	}), err
}

// AccountReview is an account as staff see it. Its number is whole only while they have to pass it on.
type AccountReview struct {
	*Account
	Business string
	Paid     *Account // what the shop is paid into now; nil for none
	History  []review.Event
}

// ReviewAccount returns an account for staff, and records that they looked at one that waits. Errors: ErrMissing.
func (s *Records) ReviewAccount(ctx context.Context, by string, id uuid.UUID) (v AccountReview, err error) {
	row, err := s.queries.PayoutAccountGet(ctx, id)
	if err != nil {
		return v, missing(err)
	}
	v.Business = row.Business
	if v.Account, err = s.account(row.PayoutAccount); err != nil {
		return v, err
	}
	if v.Paid, _, err = s.PaidInto(ctx, v.ShopCode, time.Now()); err != nil {
		return v, err
	}
	if v.State() == state.AccountWaiting {
		note := db.AuditAddParams{Actor: by, Action: "payout account viewed", Subject: accountSubject(v.ShopCode)}
		if err := s.queries.AuditAdd(ctx, note); err != nil {
			return v, err
		}
	}
	v.History, err = review.History(ctx, s.queries, accountSubject(v.ShopCode))
	return v, err
}

// DecideAccount stores what staff did with an account that waits, and tells the owners. Errors: those of review.Check, review.ErrDecided.
func (s *Records) DecideAccount(ctx context.Context, id uuid.UUID, d review.Decision[state.Account]) (err error) {
	if d.Reason, err = review.Check(accountChoices, d.State, d.Reason); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries, returned := s.queries.WithTx(tx), ""
		if d.State == state.AccountReturned {
			returned = d.Reason
		}
		n, err := queries.PayoutAccountDecide(ctx, returned, d.By, id)
		if err == nil && n == 0 {
			err = review.ErrDecided
		}
		if err != nil {
			return err
		}
		row, err := queries.PayoutAccountGet(ctx, id)
		if err != nil {
			return err
		}
		one, err := s.account(row.PayoutAccount)
		if err != nil {
			return err
		}
		return s.tellOwners(ctx, tx, one, d.By, d.State, d.Reason)
	})
}
