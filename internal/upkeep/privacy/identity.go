package privacy

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/shop/shop"
)

// identity is a compliance record in a copy.
type identity struct {
	Business string           `json:"business"`
	Signed   map[string]any   `json:"signed,omitempty"` // the agreement, with the last digits of the bank account, as on the screen
	People   []map[string]any `json:"people,omitempty"`
	Lost     bool             `json:"cannot_be_opened,omitempty"` // all or some of it is sealed with a key that is lost
}

// writeRecords writes the compliance records of an account: the agreements that it signed, and the people and documents of records that
// only it may open. In a record with several admins another one may have entered them, and they concern other people.
func (p *Privacy) writeRecords(ctx context.Context, c *copying) error {
	records, err := p.queries.ErasureRecords(ctx, c.account)
	if err != nil {
		return err
	}
	for _, one := range records {
		if err := p.writeRecord(ctx, c, one.ComplianceID, one.Alone); err != nil {
			return err
		}
	}
	return nil
}

func (p *Privacy) writeRecord(ctx context.Context, c *copying, id string, alone bool) error {
	owner := shop.Person{ID: c.account, Email: c.email}
	record, err := p.records.Open(ctx, owner, id)
	if errors.As(err, new(*secret.LostError)) { // the copy says so; its other parts are left out, too
		return c.add("identity/"+id+".json", identity{Lost: true})
	}
	if err != nil {
		return err
	}
	one := identity{Business: record.Business}
	if s := record.Signature; s != nil && strings.EqualFold(s.Signer, c.email) {
		one.Signed = map[string]any{"account": s.Account, "at": s.At.UTC(), "from": s.Address, "version": s.Version}
	}
	if !alone {
		record.People = nil
	}
	for _, who := range record.People {
		one.People = append(one.People, map[string]any{
			"number": who.Number, "name": who.Name, "details": who.Details, "state": who.State, "reason": who.Reason, "answer": who.Answer,
		})
		for side, there := range map[compliance.Side]bool{compliance.Front: who.Front, compliance.Back: who.Back} {
			if !there {
				continue
			}
			picture, err := p.records.Picture(ctx, owner, id, who.Number, side)
			if errors.As(err, new(*secret.LostError)) {
				one.Lost = true
				continue
			}
			if err == nil {
				err = c.add(fmt.Sprintf("identity/%s-%d-%s.jpg", id, who.Number, side), picture)
			}
			if err != nil {
				return err
			}
		}
	}
	return c.add("identity/"+id+".json", one)
}
