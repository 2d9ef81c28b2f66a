package compliance

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/printable"
	"forecourt/internal/onboarding/form"
)

// maxBusinessName is how many letters of a business's name a record keeps.
const maxBusinessName = 100

// Accept makes the record of an application that staff have accepted, unless it has one. Its shop is the applicant's own, if it is clear
// which one; its people are those that the application names. The applicant runs it. by is the person who accepted it, for the audit log.
func (s *Records) Accept(ctx context.Context, tx pgx.Tx, by string, applicant uuid.UUID, f *form.Form) error {
	queries := s.queries.WithTx(tx)
	if err := queries.ComplianceShopsLock(ctx, applicant); err != nil {
		return err
	}
	made, err := queries.ComplianceMade(ctx, applicant)
	if made || err != nil {
		return err
	}
	name := businessOf(f)
	shop, err := queries.ComplianceShopOf(ctx, applicant, name)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	person, err := queries.AccountGet(ctx, applicant)
	if err != nil {
		return err
	}
	_, err = s.create(ctx, tx, NewRecord{
		Business: name, Shop: shop, Applicant: &applicant, Admins: []string{person.Email}, People: behind(&f.Data), By: by,
	})
	return err
}

// Made reports whether an applicant has the record that Accept makes.
func (s *Records) Made(ctx context.Context, applicant uuid.UUID) (bool, error) {
	return s.queries.ComplianceMade(ctx, applicant)
}

// businessOf is the name that a record keeps of an applicant's business.
func businessOf(f *form.Form) string {
	return printable.MakeLine(cmp.Or(f.Data.TradingName, f.Data.EntityName), maxBusinessName)
}

// codeOf is a shop as the record stores it: nil for none.
func codeOf(shop string) *string {
	if shop == "" {
		return nil
	}
	return &shop
}

// behind lists the people that an application names: its stakeholders, except companies and trusts, which have no licence. If it names
// nobody, the primary contact has to prove their identity.
func behind(d *form.Data) (people []Asked) {
	for _, holder := range d.People {
		if name := strings.TrimSpace(holder.Name); name != "" && holder.Type != "Company" && holder.Type != "Trust" {
			people = append(people, Asked{Name: name, Required: everything()})
		}
	}
	if len(people) == 0 && len(d.Contacts) > 0 {
		first := d.Contacts[0]
		people = append(people, Asked{Name: cmp.Or(strings.TrimSpace(first.First+" "+first.Last), first.Email), Required: everything()})
	}
	return people
}
