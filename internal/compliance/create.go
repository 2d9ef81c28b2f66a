package compliance

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/fault"
	"forecourt/internal/mail"
	"forecourt/internal/mailaddr"
	"forecourt/internal/printable"
)

// ErrTaken means that a record with this id exists.
var ErrTaken = fault.New(fault.Conflict, "there is a record of that id")

// ErrNoShop means that a record was to be for a shop that does not exist.
var ErrNoShop = fault.New(fault.Invalid, "there is no such business")

// NoAccountError names an admin who has no account.
type NoAccountError struct{ Email string }

func (e *NoAccountError) Error() string { return "no account has the email " + e.Email }

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
	Client    string     // code of the shop that it is for; "" for the only one of its admins, if that is certain
	Applicant *uuid.UUID // whose accepted application it is for; nil for the admin's, if one alone has one
	Admins    []string   // their emails
	People    []Asked
	Quiet     bool   // the admins get no mail, as for demo data
	By        string // who makes it, for the audit log; "" for the operator
}

// UnverifiedError names an admin whose address is not verified; it is account.ErrUnverified.
type UnverifiedError struct{ Email string }

func (e *UnverifiedError) Error() string {
	return "the address " + e.Email + " is not verified: its owner has to open the link that was " +
		"mailed there, or choose a new password at /reset"
}

// Unwrap makes it account.ErrUnverified.
func (e *UnverifiedError) Unwrap() error { return account.ErrUnverified }

// Create makes a record, mails its admins what they have to do and returns its id. Errors: ErrTaken, ErrNoShop, *NoAccountError,
// *UnverifiedError; fault.Invalid for values that no record can have.
func (s *Records) Create(ctx context.Context, n NewRecord) (id string, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries, admins := s.queries.WithTx(tx), []db.ComplianceAdminListRow(nil)
		for _, email := range n.Admins {
			row, err := queries.AccountByEmail(ctx, mailaddr.Normal(email))
			if errors.Is(err, pgx.ErrNoRows) {
				return &NoAccountError{email}
			}
			if err != nil {
				return err
			}
			if err := s.rule.Check(ctx, queries, row.ID); errors.Is(err, account.ErrUnverified) {
				return &UnverifiedError{email}
			} else if err != nil {
				return err
			}
			admins = append(admins, db.ComplianceAdminListRow{ID: row.ID, Email: row.Email})
		}
		id, err = s.create(ctx, tx, n, admins)
		return err
	})
	return id, err
}

// create is Create within a transaction, for admins who exist.
func (s *Records) create(ctx context.Context, tx pgx.Tx, n NewRecord, admins []db.ComplianceAdminListRow) (string, error) {
	if n.ID == "" {
		n.ID = strings.ReplaceAll(uuid.NewString(), "-", "")
	}
	if !ID(n.ID) || strings.TrimSpace(n.Business) == "" || len(admins) == 0 || len(n.People) == 0 {
		return "", fault.New(fault.Invalid, "a record needs an id of letters, digits, - and _, a business, an admin and a person")
	}
	queries := s.queries.WithTx(tx)
	done, err := queries.ComplianceAdd(ctx, db.ComplianceAddParams{
		ID: n.ID, Name: strings.TrimSpace(n.Business), ClientCode: codeOf(n.Client), Applicant: n.Applicant,
	})
	switch {
	case db.IsOrphan(err):
		return "", ErrNoShop
	case err != nil:
		return "", err
	case done == 0:
		return "", ErrTaken
	}
	for _, admin := range admins {
		if err := queries.ComplianceAdminAdd(ctx, n.ID, admin.ID); err != nil {
			return "", err
		}
		if n.Quiet {
			continue
		}
		err := s.mail.Add(ctx, tx, mail.Request{
			Kind: LetterOpened, Key: LetterOpened + "/" + n.ID + "/" + admin.ID.String(), Data: OpenedLetter{ID: n.ID, To: admin.Email},
		})
		if err != nil {
			return "", err
		}
	}
	err = queries.AuditAdd(ctx, db.AuditAddParams{
		Actor: cmp.Or(n.By, "operator"), Action: "compliance record made", Subject: "compliance " + n.ID, Reason: n.Business,
	})
	if err != nil {
		return "", err
	}
	for i, asked := range n.People {
		if err := s.addPerson(ctx, queries, n.ID, i+1, asked); err != nil {
			return "", err
		}
	}
	if n.Applicant == nil {
		return n.ID, errors.Join(queries.ComplianceLinkCertain(ctx, n.ID), queries.ComplianceAppliedBefore(ctx, n.ID))
	}
	return n.ID, nil
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
		if required[i] = string(part); part != AddressPart && part != LicencePart && part != DobPart {
			return fault.New(fault.Invalid, "a person is asked for address, licence and dob")
		}
	}
	return queries.CompliancePersonAdd(ctx, db.CompliancePersonAddParams{
		ComplianceID: id, Required: required, Sealed: sealed, AccountID: asked.Account, DecidedBy: asked.Accepted,
		Number: int32(number), //nolint:gosec // a handful of people
	})
}
