package privacy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/compliance"
	"forecourt/internal/secret"
)

// identity is a compliance record in a copy.
type identity struct {
	Business string       `json:"business"`
	Signed   *signed      `json:"signed,omitempty"`
	People   []personData `json:"people,omitempty"`
	Lost     []string     `json:"cannot_be_opened,omitempty"` // what was sealed with a key that is lost
}

// personData is the data that was entered about a person, with the questions of staff.
type personData struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
	compliance.Details
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
	Answer string `json:"answer,omitempty"`
}

// signed is the agreement that the owner signed. It has only the last digits of the bank account, as on the screen.
type signed struct {
	Account compliance.Mandate `json:"account"`
	At      string             `json:"at"`
	From    string             `json:"from"`
	Version string             `json:"version"`
}

// writeRecords writes the compliance records of an account: the agreements that it signed, and the people and documents of records that
// only it may open. In a record with several admins another one may have entered them, and they concern other people.
func (p *Privacy) writeRecords(ctx context.Context, c *copying) error {
	rows, err := c.tx.Query(ctx, "SELECT compliance_id FROM compliance_admin WHERE account_id = $1 ORDER BY 1", c.account)
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	alone, err := db.New(c.tx).ErasureRecords(ctx, c.account)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := p.writeRecord(ctx, c, id, slices.Contains(alone, id)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Privacy) writeRecord(ctx context.Context, c *copying, id string, alone bool) error {
	owner := compliance.Owner{ID: c.account, Email: c.email}
	facts := "identity/" + id + ".json"
	record, gone, err := p.records.OpenRest(ctx, owner, id)
	if err != nil {
		return err
	}
	if !alone { // the people are others'
		gone = slices.DeleteFunc(gone, func(what string) bool { return what != compliance.LostAgreement })
	}
	one := identity{Business: record.Business, Lost: gone}
	if s := record.Signature; s != nil && strings.EqualFold(s.Signer, c.email) {
		one.Signed = &signed{Account: s.Account, At: s.At.UTC().Format("2006-01-02T15:04:05Z"), From: s.Address, Version: s.Version}
	}
	var people []compliance.Person
	if alone {
		people = record.People
	}
	for _, p := range people {
		one.People = append(one.People, personData{Number: p.Number, Name: p.Name, Details: p.Details, State: string(p.State), Reason: p.Reason, Answer: p.Answer})
	}
	for _, person := range people {
		for side, there := range map[compliance.Side]bool{compliance.Front: person.Front, compliance.Back: person.Back} {
			if !there {
				continue
			}
			name := fmt.Sprintf("%s-%d-%s.jpg", id, person.Number, side)
			picture, err := p.records.Picture(ctx, owner, id, person.Number, side)
			if lost(err) {
				one.Lost = append(one.Lost, name)
				continue
			}
			if err != nil {
				return err
			}
			file, err := c.zip.Create("identity/" + name)
			if err != nil {
				return err
			}
			if _, err := file.Write(picture); err != nil {
				return err
			}
		}
	}
	slices.Sort(one.Lost)
	return c.add(facts, one)
}

// lost reports whether something was sealed with a key that is lost. A copy says so, and has everything else.
func lost(err error) bool { return errors.As(err, new(*secret.LostError)) }

// writeReadme writes a file that says what a copy contains and what it leaves out.
func writeReadme(_ context.Context, c *copying) error {
	var text strings.Builder
	text.WriteString("A copy of what is stored about " + c.email + ".\n\nFiles without anything in them are left out.\n\n")
	if !c.verified {
		text.WriteString("The address is not confirmed, so what was sent to it or done under it is left out: it might be somebody else's. Confirm it and take another copy.\n\n")
	}
	for _, t := range tables {
		if t.Account != "" {
			fmt.Fprintf(&text, "%s.json: %s; kept %s\n", t.Name, strings.TrimPrefix(t.Of, "the same: "), t.Kept)
		}
		if t.Made != "" {
			fmt.Fprintf(&text, "done-by-you/%s.json: %s\n", t.Name, t.Of)
		}
	}
	text.WriteString("letters.json: letters to you of the last 30 days; their text is not kept once they are sent\n" +
		"identity/: what you signed, and the people and documents that you entered\n\n" +
		"Never in a copy: passwords and keys of codes, which are stored as hashes or encrypted; links and tokens; what others entered. Their addresses are masked.\n")
	file, err := c.zip.Create("README.txt")
	if err != nil {
		return err
	}
	_, err = file.Write([]byte(text.String()))
	return err
}
