package privacy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"forecourt/internal/compliance"
	"forecourt/internal/secret"
)

// identity is a compliance record in a copy.
type identity struct {
	Business string           `json:"business"`
	Signed   map[string]any   `json:"signed,omitempty"` // the agreement, with the last digits of the bank account, as on the screen
	People   []map[string]any `json:"people,omitempty"`
	Lost     []string         `json:"cannot_be_opened,omitempty"` // what was sealed with a key that is lost
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
	record, lost, err := p.records.OpenRest(ctx, compliance.Owner{ID: c.account, Email: c.email}, id)
	if err != nil {
		return err
	}
	if !alone {
		record.People = nil
		lost = slices.DeleteFunc(lost, func(what string) bool { return what != compliance.LostAgreement })
	}
	one := identity{Business: record.Business, Lost: lost}
	if s := record.Signature; s != nil && strings.EqualFold(s.Signer, c.email) {
		one.Signed = map[string]any{"account": s.Account, "at": s.At.UTC(), "from": s.Address, "version": s.Version}
	}
	for _, who := range record.People {
		one.People = append(one.People, map[string]any{
			"number": who.Number, "name": who.Name, "details": who.Details, "state": who.State, "reason": who.Reason, "answer": who.Answer,
		})
		for side, there := range map[compliance.Side]bool{compliance.Front: who.Front, compliance.Back: who.Back} {
			if !there {
				continue
			}
			name := fmt.Sprintf("%s-%d-%s.jpg", id, who.Number, side)
			err := p.writePicture(ctx, c, name, id, who.Number, side)
			if errors.As(err, new(*secret.LostError)) { // the copy says so, and has everything else
				one.Lost = append(one.Lost, name)
			} else if err != nil {
				return err
			}
		}
	}
	slices.Sort(one.Lost)
	return c.add("identity/"+id+".json", one)
}

func (p *Privacy) writePicture(ctx context.Context, c *copying, name, id string, number int, side compliance.Side) error {
	picture, err := p.records.Picture(ctx, compliance.Owner{ID: c.account, Email: c.email}, id, number, side)
	if err != nil {
		return err
	}
	return c.add("identity/"+name, picture)
}
