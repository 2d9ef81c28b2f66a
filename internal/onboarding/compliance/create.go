package compliance

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/run/mail"
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
			err = s.mail.Add(ctx, tx, mail.Request{Kind: LetterOpened, Key: key, Data: OpenedLetter{ID: n.ID, To: email}})
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
	name := printable.MakeLine(asked.Name, maxTyped)
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
