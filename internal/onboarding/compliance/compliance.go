// Package compliance has the rules for what a merchant must do before it is accepted: sign the direct debit agreement and identify the
// people behind the business. It stores details of people and accounts sealed.
package compliance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/picture"
	"forecourt/internal/shop/shop"
	"forecourt/internal/site/legal"
)

// ErrMissing means that a record, a person or a picture does not exist or is not the caller's.
var ErrMissing = fault.New(fault.NotFound, "no such compliance record for this person")

// ID reports whether a text can be the id of a record.
var ID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,63}$`).MatchString

// Records keeps compliance records.
type Records struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	box      *secret.Box
	mail     *mail.Queue
	studio   *picture.Studio
	provider legal.Provider
	now      func() time.Time
}

// Config holds what Records needs.
type Config struct {
	Pool     *pgxpool.Pool
	Box      *secret.Box // seals the details
	Mail     *mail.Queue
	Pictures *picture.Studio // encodes the pictures
	Provider legal.Provider  // with whom merchants sign
}

// New returns the records stored in c.Pool.
func New(c Config) *Records {
	return &Records{
		pool: c.Pool, queries: db.New(c.Pool), box: c.Box, mail: c.Mail, studio: c.Pictures, provider: c.Provider, now: time.Now,
	}
}

// Record is what one merchant must do.
type Record struct {
	ID, Business   string
	ShopCode, Shop string     // code and name of the shop that it is for; "" if it names none
	Signature      *Signature // nil while the agreement is not signed
	People         []Person
}

// Complete counts the complete people.
func (r *Record) Complete() int {
	n := 0
	for _, p := range r.People {
		if p.Complete() {
			n++
		}
	}
	return n
}

// Person returns the person with a number. Numbers begin with 1; one may be missing. Errors: ErrMissing.
func (r *Record) Person(number int) (*Person, error) {
	for i := range r.People {
		if r.People[i].Number == number {
			return &r.People[i], nil
		}
	}
	return nil, ErrMissing
}

// Person is one of the people behind a business.
type Person struct {
	Number int
	Name   string
	Details
	Required    []Part
	Front, Back bool // whether that side of the licence was uploaded
	State       state.Person
	Reason      string    // what staff asked for
	Asked       string    // the question of staff that Answer is about; "" if none was answered
	Answer      string    // what the merchant said to it
	Account     uuid.UUID // of a member of the team who is to own the shop; zero for those whom an application names
	Revision    int       // grows with each change
	ChangedAt   time.Time
	DecidedBy   string
}

// Open returns a record for one of its admins. Errors: ErrMissing.
func (s *Records) Open(ctx context.Context, owner shop.Person, id string) (*Record, error) {
	if !ID(id) {
		return nil, ErrMissing
	}
	row, err := s.queries.ComplianceGetOwn(ctx, id, owner.ID)
	return s.load(ctx, s.queries, row.Compliance, row.Shop, err)
}

// Look returns a record for an operator, without checking who its admins are. Errors: ErrMissing.
func (s *Records) Look(ctx context.Context, id string) (*Record, error) {
	if !ID(id) {
		return nil, ErrMissing
	}
	row, err := s.queries.ComplianceGet(ctx, id)
	return s.load(ctx, s.queries, row.Compliance, row.Shop, err)
}

// load reads a record that was looked up with this error.
func (s *Records) load(ctx context.Context, queries *db.Queries, row db.Compliance, shop string, err error) (*Record, error) {
	if err != nil {
		return nil, missing(err)
	}
	r := &Record{ID: row.ID, Business: row.Name, Shop: shop}
	if row.ShopCode != nil {
		r.ShopCode = *row.ShopCode
	}
	if r.Signature, err = s.signature(ctx, queries, row.ID); err != nil {
		return nil, err
	}
	people, err := queries.CompliancePersonList(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		person, err := s.personOf(p.CompliancePerson)
		if err != nil {
			return nil, err
		}
		for _, side := range p.Sides {
			*person.side(Side(side)) = true
		}
		if r.Signature != nil {
			person.ChangedAt = person.ChangedAt.In(r.Signature.At.Location())
		}
		r.People = append(r.People, person)
	}
	return r, nil
}

// kept is the sealed part of a person.
type kept struct {
	Name   string `json:"name"`
	Asked  string `json:"asked,omitempty"`
	Answer string `json:"answer,omitempty"`
	Details
}

func (s *Records) personOf(row db.CompliancePerson) (Person, error) {
	text, err := s.box.Open(row.Sealed, personPlace(row.ComplianceID, int(row.Number)))
	if err != nil {
		return Person{}, err
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil {
		return Person{}, errors.New("a sealed person does not parse") // the parser quotes what it reads
	}
	p := Person{
		Number: int(row.Number), Name: k.Name, Asked: k.Asked, Answer: k.Answer, Details: k.Details, State: row.State, Reason: row.Reason,
		Revision: int(row.Revision), ChangedAt: row.ChangedAt, DecidedBy: row.DecidedBy,
	}
	for _, part := range row.Required {
		p.Required = append(p.Required, Part(part))
	}
	if row.AccountID != nil {
		p.Account = *row.AccountID
	}
	return p, nil
}

func (s *Records) sealPerson(id string, p *Person) ([]byte, error) {
	text, err := json.Marshal(kept{p.Name, p.Asked, p.Answer, p.Details})
	return s.box.Seal(text, personPlace(id, p.Number)), err
}

// personPlace returns the context in which a person's details are sealed, which is also the subject of the audit log's lines about the
// person.
func personPlace(id string, number int) string { return fmt.Sprintf("compliance %s/%d", id, number) }

func missing(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrMissing
	}
	return err
}

// The letters that a merchant gets, by mail.Request.Kind.
const (
	LetterOpened  = "compliance opened"
	LetterSigned  = "compliance signed"
	LetterDecided = "compliance decided"
	LetterAccount = "payout account" // to each owner
)

// Letter is what the writers of LetterOpened and LetterSigned need.
type Letter struct {
	ID string `json:"id"`
	To string `json:"to"`
}

// DecidedLetter is what the writer of LetterDecided needs. The letter names the
// person by first name and initial, which are read when it is written.
type DecidedLetter struct {
	Letter

	Number int          `json:"number"`
	State  state.Person `json:"state"`
	Reason string       `json:"reason,omitempty"`
}

// SignedCopy returns how a record was signed, and the copy to attach to the letter. It reads through queries; the result is nil if
// the record is not signed.
func (s *Records) SignedCopy(ctx context.Context, queries *db.Queries, id string) (*Signature, []byte, error) {
	g, err := s.signature(ctx, queries, id)
	if g == nil || err != nil {
		return nil, nil, err
	}
	file, err := s.Copy(g)
	return g, file, err
}

// Sealed describes the columns that hold what people signed and provided.
func Sealed() []secret.Column {
	id := secret.Part{Name: "compliance_id", Type: "text"}
	number, side := secret.Part{Name: "number", Type: "integer"}, secret.Part{Name: "side", Type: "text"}
	whole := func(text string) int { n, _ := strconv.Atoi(text); return n } // of an integer column
	const purpose = "compliance"
	return []secret.Column{
		{
			Table: "compliance_agreement", Name: "sealed", Purpose: purpose, Key: []secret.Part{id},
			Place: func(p []string) string { return mandatePlace(p[0]) }, Lost: "the account to debit has to be asked for anew",
		},
		{
			Table: "payout_account", Name: "sealed", Purpose: purpose, Key: []secret.Part{{Name: "id", Type: "uuid"}},
			And:   []secret.Part{{Name: "shop_code", Type: "text"}},
			Place: func(p []string) string { return accountPlace(p[0], p[1]) }, Lost: "owners have to say anew which account is to be paid",
		},
		{
			Table: "compliance_person", Name: "sealed", Purpose: purpose, Key: []secret.Part{id, number},
			Place: func(p []string) string { return personPlace(p[0], whole(p[1])) },
			Lost:  "the person's details have to be provided anew: ask for more at /staff/compliance",
		},
		{
			Table: "compliance_image", Name: "sealed", Purpose: purpose, Key: []secret.Part{id, number, side},
			Place: func(p []string) string { return picturePlace(p[0], whole(p[1]), Side(p[2])) }, Lost: "the picture has to be uploaded anew",
		},
	}
}
