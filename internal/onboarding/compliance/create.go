package compliance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
)

// ErrTaken means that a record with this id exists.
var ErrTaken = fault.New(fault.Conflict, "there is a record of that id")

// Asked is a person to ask.
type Asked struct {
	Name     string
	Required []Part
	Account  *uuid.UUID // of somebody who is to own the shop; nil for the people that an application names
	Accepted string     // who accepted the person in another record of the application; "" for nobody
}

// NewRecord holds what Create needs.
type NewRecord struct {
	ID        string // "" for a random one
	Business  string
	Shop      string     // code of the shop that it is for; "" for none yet
	Applicant *uuid.UUID // whose accepted application it is for; nil for the demo's, which has none
	Admins    []string   // their emails
	People    []Asked
	Quiet     bool   // the admins get no mail
	By        string // who makes it, for the audit log; "" for the operator
}

// Create makes a record without an application, as the demo has one. Errors: ErrTaken.
func (s *Records) Create(ctx context.Context, n NewRecord) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := s.create(ctx, tx, n)
		return err
	})
}

// create makes a record, mails its admins what they have to do and returns its id. Errors: ErrTaken.
func (s *Records) create(ctx context.Context, tx pgx.Tx, n NewRecord) (string, error) {
	if n.ID == "" {
		n.ID = strings.ReplaceAll(uuid.NewString(), "-", "")
	}
	if len(n.People) == 0 {
		return "", fault.New(fault.Invalid, "a record of nobody")
	}
	queries := s.queries.WithTx(tx)
	done, err := queries.ComplianceAdd(ctx, db.ComplianceAddParams{
		ID: n.ID, Name: strings.TrimSpace(n.Business), ShopCode: codeOf(n.Shop), Applicant: n.Applicant,
	})
	if err == nil && done == 0 {
		err = ErrTaken
	}
	if err != nil {
		return "", err
	}
	for i, email := range n.Admins {
		if done, err = queries.ComplianceAdminAdd(ctx, n.ID, email); err == nil && done == 0 {
			err = fault.New(fault.Invalid, "an admin of the record has no account")
		}
		if err == nil && !n.Quiet {
			key := fmt.Sprintf("%s/%s/%d", LetterOpened, n.ID, i)
			err = s.mail.Add(ctx, tx, mail.Request{Kind: LetterOpened, Key: key, Data: Letter{ID: n.ID, To: email}})
		}
		if err != nil {
			return "", err
		}
	}
	err = queries.AuditAdd(ctx, db.AuditAddParams{
		Actor: cmp.Or(n.By, "operator"), Action: "compliance record made", Subject: "compliance " + n.ID, Reason: n.Business,
	})
	for i, asked := range n.People {
		if err == nil {
			err = s.addPerson(ctx, queries, n.ID, i+1, asked)
		}
	}
	return n.ID, err
}

func (s *Records) addPerson(ctx context.Context, queries *db.Queries, id string, number int, asked Asked) error {
	name := typed.OneLine(asked.Name, 2*MaxName) // an application allows as many
	if name == "" || len(asked.Required) == 0 && asked.Accepted == "" {
		return fault.New(fault.Invalid, "a person needs a name and something to be asked for")
	}
	sealed, err := s.sealPerson(id, &Person{Number: number, Name: name})
	if err != nil {
		return err
	}
	required := make([]string, len(asked.Required))
	for i, part := range asked.Required {
		required[i] = string(part)
	}
	return queries.CompliancePersonAdd(ctx, db.CompliancePersonAddParams{
		ComplianceID: id, Required: required, Sealed: sealed, AccountID: asked.Account, DecidedBy: asked.Accepted,
		Number: int32(number), //nolint:gosec // a handful of people
	})
}

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
	return typed.OneLine(cmp.Or(f.Data.TradingName, f.Data.EntityName), maxBusinessName)
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

// Use makes the accepted application of an owner count for another of the owner's shops: the company behind both is the same. A record that
// names no shop yet names this one; otherwise the shop gets a record of its own, with an agreement to sign and the people of the
// application. Whom staff have accepted need not prove their identity again. Use changes nothing if the owner has no accepted application,
// or the shop has one. Errors: ErrMissing.
func (s *Records) Use(ctx context.Context, by shop.Person, code string) error {
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
func (s *Records) createFor(ctx context.Context, tx pgx.Tx, by shop.Person, id, code string) error {
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

// MaxName is how many letters a name of a person has that is asked for on a desk.
const MaxName = 100

// everything is what people behind a business are asked for.
func everything() []Part { return []Part{AddressPart, LicencePart, DobPart} }

// AskSuccessor adds a member of a shop's team, who is to own it, to the people of its record, for an owner. The application that staff
// accepted does not name the member. Asking again changes nothing. Errors: ErrMissing.
func (s *Records) AskSuccessor(ctx context.Context, by shop.Person, code string, member uuid.UUID, name string) (shop.Proof, error) {
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
