package account

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
)

// These errors say why an operator's command is refused.
var (
	ErrNobody = fault.New(fault.NotFound, "no account with that email")
	ErrNoShop = fault.New(fault.NotFound, "no such business")
)

// Entry is an account as operators see it.
type Entry struct {
	ID    uuid.UUID `json:"id"`
	Email string    `json:"email"`
	Name  string    `json:"name"`
	Staff bool      `json:"staff"`
	// Verified reports whether the owner has proved that they read the address's mail.
	Verified bool      `json:"verified"`
	Admin    []string  `json:"admin"` // codes of businesses
	Created  time.Time `json:"created"`
}

// List returns every account, oldest first.
func (a *Accounts) List(ctx context.Context) ([]Entry, error) {
	rows, err := a.queries.AccountList(ctx)
	if err != nil {
		return nil, err
	}
	admins, err := a.queries.AccountListAdmins(ctx)
	if err != nil {
		return nil, err
	}
	entries, places := make([]Entry, len(rows)), map[uuid.UUID]int{}
	for i, row := range rows {
		entries[i] = Entry{
			ID: row.ID, Email: row.Email, Name: row.Name, Staff: row.Staff,
			Verified: row.VerifiedAt != nil, Admin: []string{}, Created: row.CreatedAt,
		}
		places[row.ID] = i
	}
	for _, admin := range admins {
		if i, ok := places[admin.AccountID]; ok {
			entries[i].Admin = append(entries[i].Admin, admin.ShopCode)
		}
	}
	return entries, nil
}

// GivePassword sets a password for a person who cannot set it, ends every session of the account and notifies the person by email.
// It forgets the failed sign-ins to the account. The error is ErrNobody or fault.Problems.
func (a *Accounts) GivePassword(ctx context.Context, email string, password secret.Text) error {
	row, err := a.find(ctx, typed.Email(email))
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	row.DemoOpen = nil // an operator may change it
	if err := a.newPassword(row, password, password).Err(); err != nil {
		return err
	}
	hash, err := a.hasher.Hash(ctx, typed.Password(password))
	if err != nil {
		return err
	}
	if err := a.of(ctx, email, func(tx pgx.Tx, id uuid.UUID) error {
		return errors.Join(a.setPassword(ctx, tx, id, hash, password, uuid.Nil),
			happened(ctx, db.New(tx), Holder{ID: id}, EventPasswordGiven, ""))
	}); err != nil {
		return err
	}
	return a.forgive(ctx, typed.Email(email))
}

// SetStaff adds an account to the staff or removes it. The error is ErrNobody or ErrUnverified.
func (a *Accounts) SetStaff(ctx context.Context, email string, staff bool) error {
	return a.of(ctx, email, func(tx pgx.Tx, id uuid.UUID) error {
		queries := db.New(tx)
		if staff {
			if err := a.rule.Check(ctx, queries, id); err != nil {
				return err
			}
		}
		kind := EventStaffOff
		if staff {
			kind = EventStaff
		}
		return errors.Join(queries.AccountSetStaff(ctx, staff, id), happened(ctx, queries, Holder{ID: id}, kind, ""))
	})
}

// SetAdmin makes a person an owner of a business, or ends all of the person's access to it, even that of its last owner. The error is
// ErrNobody, ErrUnverified or ErrNoShop.
func (a *Accounts) SetAdmin(ctx context.Context, email, shop string, admin bool) error {
	return a.of(ctx, email, func(tx pgx.Tx, id uuid.UUID) error {
		queries := db.New(tx)
		if _, err := queries.ShopLock(ctx, shop); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if !admin {
			return queries.AdminRemove(ctx, shop, id, true)
		}
		if err := a.rule.Check(ctx, queries, id); err != nil {
			return err
		}
		err := queries.ShopMemberAdd(ctx, shop, id)
		if db.IsOrphan(err) {
			return ErrNoShop
		}
		return errors.Join(err, queries.MerchantAdminAddOfShop(ctx, id, shop))
	})
}

// of calls a function with the account that has an email.
func (a *Accounts) of(ctx context.Context, email string, work func(pgx.Tx, uuid.UUID) error) error {
	row, err := a.find(ctx, typed.Email(email))
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrNobody
	}
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error { return work(tx, row.ID) })
}
