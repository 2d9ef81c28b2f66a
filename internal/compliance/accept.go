package compliance

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/form"
	"forecourt/internal/printable"
)

// maxBusinessName is how many letters of a business's name a record keeps.
const maxBusinessName = 100

// Accept makes the record of a business whose application staff have accepted. Its shop is the applicant's, and its people are those that
// the application names. The applicant and the shop's other owners run it. If the applicant already has a record for the shop, Accept makes
// none. A record that names no shop counts for all of the applicant's. by is the person who accepted it, for the audit log.
func (s *Records) Accept(ctx context.Context, tx pgx.Tx, by string, applicant uuid.UUID, f *form.Form) error {
	queries := s.queries.WithTx(tx)
	name := businessOf(f)
	shop, err := queries.ComplianceShopOf(ctx, applicant, name)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	there, err := queries.ComplianceOfOwner(ctx, applicant, codeOf(shop))
	if err != nil {
		return err
	}
	if !there {
		admins, err := s.runners(ctx, queries, applicant, shop)
		if err != nil {
			return err
		}
		if _, err = s.create(ctx, tx, NewRecord{Business: name, Client: shop, People: behind(&f.Data), By: by}, admins); err != nil {
			return err
		}
	}
	return errors.Join(queries.ComplianceApplied(ctx, applicant, codeOf(shop)), queries.ShopRecordAddApplied(ctx, applicant))
}

// Opened reports whether an applicant already has the record that Accept would make.
func (s *Records) Opened(ctx context.Context, applicant uuid.UUID, f *form.Form) (bool, error) {
	shop, err := s.queries.ComplianceShopOf(ctx, applicant, businessOf(f))
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return false, err
	}
	return s.queries.ComplianceOfOwner(ctx, applicant, codeOf(shop))
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

// runners lists the people who run an applicant's record: the applicant, and the owners of the shop whose addresses are verified.
func (s *Records) runners(ctx context.Context, queries *db.Queries, applicant uuid.UUID, shop string) ([]db.ComplianceAdminListRow, error) {
	person, err := queries.AccountGet(ctx, applicant)
	if err != nil {
		return nil, err
	}
	admins := []db.ComplianceAdminListRow{{ID: person.ID, Email: person.Email}}
	owners, err := queries.ClientOwners(ctx, shop)
	if err != nil {
		return nil, err
	}
	for _, o := range owners {
		if o.ID != applicant && s.rule.Check(ctx, queries, o.ID) == nil {
			admins = append(admins, db.ComplianceAdminListRow(o))
		}
	}
	return admins, nil
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
