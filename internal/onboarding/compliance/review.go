package compliance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/review"
	"forecourt/internal/run/mail"
)

// choices are what staff can decide.
var choices = []review.Choice[state.Person]{
	{State: state.PersonAccepted}, {State: state.PersonReturned, Why: "Say what is missing, in words for the applicant"},
}

// Queued is a person in the queue.
type Queued struct {
	ID, Business string
	Number       int
	Name         string // "" for a person whom no key opens any more
	State        state.Person
	ChangedAt    time.Time
}

// Queue returns a page, counted from 1, of the people in a state ("" for everyone submitted), and reports whether another page
// follows.
func (s *Records) Queue(ctx context.Context, in state.Person, page int) (list []Queued, more bool, err error) {
	skip, atMost := review.Window(page)
	rows, err := s.queries.CompliancePersonListByState(ctx, in, skip, atMost)
	if err != nil {
		return nil, false, err
	}
	rows, more = review.Page(rows)
	for _, row := range rows {
		p, err := s.personOf(db.CompliancePerson{ComplianceID: row.ComplianceID, Number: row.Number, Sealed: row.Sealed})
		if err != nil && !errors.As(err, new(*secret.LostError)) {
			return nil, false, err
		}
		list = append(list, Queued{ // without a name if nobody can open the person: the others are still to review
			ID: row.ComplianceID, Business: row.Business, Number: int(row.Number), Name: p.Name, State: row.State, ChangedAt: row.ChangedAt,
		})
	}
	return list, more, nil
}

// Counts returns how many people are in each state.
func (s *Records) Counts(ctx context.Context) (map[state.Person]int, error) {
	rows, err := s.queries.CompliancePersonCount(ctx)
	return review.Counts(rows, func(row db.CompliancePersonCountRow) (state.Person, int64) { return row.State, row.People }), err
}

// Review is a person as staff see it.
type Review struct {
	*Record
	*Person
	Successor string // address of the account that is to own the shop, where the person is that; "" for the others
	History   []review.Event
}

// Review returns a person for staff, and records that they looked. Errors: ErrMissing.
func (s *Records) Review(ctx context.Context, by, id string, number int) (*Review, error) {
	record, err := s.Look(ctx, id)
	if err != nil {
		return nil, err
	}
	person, err := record.Person(number)
	if err != nil {
		return nil, err
	}
	if err := s.note(ctx, s.queries, by, "identity viewed", id, number, ""); err != nil {
		return nil, err
	}
	v := &Review{Record: record, Person: person}
	if v.Successor, err = s.successor(ctx, id, number); err != nil {
		return nil, err
	}
	v.History, err = review.History(ctx, s.queries, personPlace(id, number))
	return v, err
}

// ReviewPicture returns a side of a licence for staff, and records that they looked. Errors: ErrMissing.
func (s *Records) ReviewPicture(ctx context.Context, by, id string, number int, side Side) ([]byte, error) {
	if !ID(id) {
		return nil, ErrMissing
	}
	sealed, err := s.queries.ComplianceImageGet(ctx, id, int32(number), string(side)) //nolint:gosec // a number beyond is nobody's
	if err != nil {
		return nil, missing(err)
	}
	if err := s.note(ctx, s.queries, by, "licence "+string(side)+" viewed", id, number, ""); err != nil {
		return nil, err
	}
	return s.box.Open(sealed, picturePlace(id, number, side))
}

// Decide stores a decision on a revision of a person, records it in the audit log and notifies the merchant's admins.
// Errors: those of review.Check, review.ErrDecided.
func (s *Records) Decide(ctx context.Context, id string, number int, d review.Decision[state.Person]) (err error) {
	if !ID(id) {
		return review.ErrDecided // and there is nothing of that id to show
	}
	if d.Reason, err = review.Check(choices, d.State, d.Reason); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		done, err := queries.CompliancePersonDecide(ctx, db.CompliancePersonDecideParams{
			State: d.State, Reason: d.Reason, DecidedBy: d.By, ComplianceID: id,
			Number: int32(number), Revision: int32(d.Version), //nolint:gosec // numbers beyond are nobody's
		})
		if err != nil {
			return err
		}
		if done == 0 {
			return review.ErrDecided
		}
		admins, err := queries.ComplianceAdminList(ctx, id)
		if err != nil {
			return err
		}
		for _, a := range admins {
			err = errors.Join(err, s.mail.Add(ctx, tx, mail.Request{
				Kind: LetterDecided, Key: fmt.Sprintf("%s/%s/%d/%d/%s", LetterDecided, id, number, d.Version, a.ID),
				Data: DecidedLetter{Letter: Letter{ID: id, To: a.Email}, Number: number, State: d.State, Reason: d.Reason},
			}))
		}
		return errors.Join(err, s.note(ctx, queries, d.By, "identity "+string(d.State), id, number, d.Reason))
	})
}

func (s *Records) note(ctx context.Context, queries *db.Queries, by, action, id string, number int, reason string) error {
	return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: action, Subject: personPlace(id, number), Reason: reason})
}
