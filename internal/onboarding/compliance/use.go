package compliance

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/shop/shop"
)

// Use makes the accepted application of an owner count for another of the owner's shops: the company behind both is the same. A record that
// names no shop yet names this one; otherwise the shop gets a record of its own, with an agreement to sign and the people of the
// application. Whom staff have accepted need not prove their identity again. Use changes nothing if the owner has no accepted application,
// or the shop has one. Errors: ErrMissing.
func (s *Records) Use(ctx context.Context, by Owner, code string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if _, err := queries.ShopLock(ctx, code); err != nil {
			return missing(err)
		}
		usable, err := queries.ComplianceUsable(ctx, code, by.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil && usable.ShopCode == nil {
			err = queries.ComplianceLink(ctx, code, usable.ID)
		} else if err == nil {
			err = s.createFor(ctx, tx, by, usable.ID, code)
		}
		if err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: by.Email, Action: "application used", Subject: golive.Subject(code), Reason: usable.ID,
		})
	})
}

// createFor makes the record of another shop of the same application.
func (s *Records) createFor(ctx context.Context, tx pgx.Tx, by Owner, id, code string) error {
	queries := s.queries.WithTx(tx)
	row, err := queries.ComplianceGet(ctx, id)
	first, err := s.load(ctx, queries, row.Compliance, row.Shop, err)
	if err != nil {
		return err
	}
	team, err := queries.TeamList(ctx, code)
	if err != nil {
		return err
	}
	owns := map[uuid.UUID]bool{}
	for _, member := range team {
		owns[member.ID] = shop.Role(member.Role) == shop.Owner
	}
	n := NewRecord{Business: first.Business, Shop: code, Applicant: &by.ID, Admins: []string{by.Email}, Quiet: true, By: by.Email}
	for _, p := range first.People {
		named := p.Account == uuid.Nil // by the application
		if !named && !owns[p.Account] {
			continue
		}
		asked := Asked{Name: p.Name, Required: p.Required}
		if !named {
			asked.Account = &p.Account
		}
		if p.State == state.PersonAccepted {
			asked.Accepted, asked.Required = p.DecidedBy, nil
		}
		n.People = append(n.People, asked)
	}
	if n.ID, err = s.create(ctx, tx, n); err != nil {
		return err
	}
	for i, p := range n.People {
		if p.Accepted != "" {
			err = errors.Join(err, s.note(ctx, queries, p.Accepted, "identity accepted", n.ID, i+1, "In the record "+id))
		}
	}
	return err
}
