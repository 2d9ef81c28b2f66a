package demo

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/secret"
)

// The demo's sign-ins: the admin of the four businesses, and a member of the staff who reviews what merchants submit.
const (
	Email      = "demo@forecourt.test"
	StaffEmail = "staff@forecourt.test"
	Password   = "Demo-pass-1" // everybody may know it

	// ComplianceRecord is the id of a record that the admin has to sign and fill in.
	ComplianceRecord = "demo-compliance"
)

func loadPeople(ctx context.Context, queries *db.Queries, businesses []Business) error {
	admin, err := putPerson(ctx, queries, db.AccountAddParams{Email: Email, Name: "Demo Merchant"})
	if err != nil {
		return err
	}
	for _, b := range businesses {
		if err := queries.ShopMemberPutDemo(ctx, b.Code, admin); err != nil {
			return err
		}
	}
	if err := loadMerchant(ctx, queries, admin); err != nil {
		return err
	}
	_, err = putPerson(ctx, queries, db.AccountAddParams{Email: StaffEmail, Name: "Demo Staff", Staff: true})
	return err
}

// putPerson makes an account unless there is one with that email; a changed password stays.
func putPerson(ctx context.Context, queries *db.Queries, person db.AccountAddParams) (uuid.UUID, error) {
	row, err := queries.AccountByEmail(ctx, person.Email)
	if !errors.Is(err, pgx.ErrNoRows) {
		return row.ID, err
	}
	open := true
	person.ID, person.DemoOpen, person.Verified = uuid.New(), &open, true
	if person.PasswordHash, err = secret.NewHasher().Hash(ctx, secret.New(Password)); err != nil {
		return uuid.Nil, err
	}
	_, err = queries.AccountAdd(ctx, person)
	return person.ID, err
}
