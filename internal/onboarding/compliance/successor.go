package compliance

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db/state"
	"forecourt/internal/shop/shop"
)

// MaxName is how many letters a name of a person has that is asked for on a desk.
const MaxName = 100

// everything is what people behind a business are asked for.
func everything() []Part { return []Part{AddressPart, LicencePart, DobPart} }

// AskSuccessor adds a member of a shop's team, who is to own it, to the people of its record, for an owner. The application that staff
// accepted does not name the member. Asking again changes nothing. Errors: ErrMissing.
func (s *Records) AskSuccessor(ctx context.Context, by Owner, code string, member uuid.UUID, name string) (shop.Proof, error) {
	var proof shop.Proof
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if _, err := queries.ShopLock(ctx, code); err != nil { // nobody leaves the team meanwhile
			return missing(err)
		}
		record, err := queries.ComplianceLockOfOwner(ctx, by.ID, member, code)
		if err != nil {
			return missing(err)
		}
		there, err := queries.ComplianceSuccessor(ctx, member, code)
		if err != nil {
			return missing(err)
		}
		proof = shop.Proof{Record: there.ID, Applied: there.Applied, Number: int(there.Number), State: state.Person(there.State)}
		if proof.Applied || proof.Number > 0 {
			return nil
		}
		proof.Record, proof.Number, proof.State = record.ID, int(record.Next), state.PersonOpen
		if err := s.addPerson(ctx, queries, record.ID, proof.Number, Asked{Name: name, Required: everything(), Account: &member}); err != nil {
			return err
		}
		return s.note(ctx, queries, by.Email, "identity asked for", record.ID, proof.Number, "")
	})
	return proof, err
}

// successor returns the address of whoever is to own the shop, if the person of a record with that number is; "" if not.
func (s *Records) successor(ctx context.Context, id string, number int) (string, error) {
	email, err := s.queries.CompliancePersonAccount(ctx, id, int32(number)) //nolint:gosec // a number beyond is nobody's
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return email, err
}
