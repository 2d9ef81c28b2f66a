package compliance

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/mail"
	"forecourt/internal/printable"
)

// maxReason is how many letters a reason has at most.
const maxReason = 2000

// Why staff cannot decide.
var (
	// ErrNoDecision is a decision there is not.
	ErrNoDecision = fault.New(fault.Invalid, "there is no such decision")
	// ErrNoReason is a person returned without a word.
	ErrNoReason = fault.New(fault.Invalid, "the decision needs a reason")
	// ErrLongReason is a reason of more than 2000 letters.
	ErrLongReason = fault.New(fault.Invalid, "the reason is too long")
	// ErrDecided is a person who is not, or no longer, as the one who decides has seen them.
	ErrDecided = fault.New(fault.Conflict, "the person was decided or changed in the meantime")
)

// PageSize is how many people a page of the queue holds.
const PageSize = 25

// Queued is somebody in the queue.
type Queued struct {
	ID, Business string
	Number       int
	Name         string
	State        State
	ChangedAt    time.Time
}

// Queue returns a page, from 1, of the people in a state, "" for all that were handed in, and whether there is another page.
func (s *Records) Queue(ctx context.Context, state State, page int) (list []Queued, more bool, err error) {
	skip := (min(max(page, 1), 1<<20) - 1) * PageSize
	rows, err := s.queries.CompliancePersonListByState(ctx, string(state), int32(skip), PageSize+1)
	if err != nil {
		return nil, false, err
	}
	for i, row := range rows {
		if i == PageSize {
			return list, true, nil
		}
		p, err := s.personOf(db.CompliancePerson{ComplianceID: row.ComplianceID, Number: row.Number, Sealed: row.Sealed})
		if err != nil {
			return nil, false, err
		}
		list = append(list, Queued{
			ID: row.ComplianceID, Business: row.Business, Number: p.Number, Name: p.Name, State: State(row.State), ChangedAt: row.ChangedAt,
		})
	}
	return list, false, nil
}

// Counts tells how many people are in each state.
func (s *Records) Counts(ctx context.Context) (map[State]int, error) {
	rows, err := s.queries.CompliancePersonCount(ctx)
	counts := map[State]int{}
	for _, row := range rows {
		counts[State(row.State)] = int(row.People)
	}
	return counts, err
}

// Review is a person as staff see them.
type Review struct {
	*Record
	*Person
	History []Event
}

// Event is a line of the audit.
type Event struct {
	At                    time.Time
	Actor, Action, Reason string
}

// Review returns a person to staff, and notes that they looked. Errors: ErrMissing.
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
	lines, err := s.queries.CompliancePersonHistory(ctx, personPlace(id, number))
	for _, l := range lines {
		v.History = append(v.History, Event{At: l.CreatedAt, Actor: l.Actor, Action: l.Action, Reason: l.Reason})
	}
	return v, err
}

// ReviewPicture returns a side of a licence to staff, and notes that they looked. Errors: ErrMissing.
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

// Decision is what staff say to what they looked at.
type Decision struct {
	ID       string
	Number   int
	State    State // Accepted or Returned
	Reason   string
	By       string
	Revision int // Person.Revision
}

// Decide records a decision, notes it in the audit and tells the merchant's admins. Errors: ErrNoDecision, ErrNoReason,
// ErrLongReason, ErrDecided.
func (s *Records) Decide(ctx context.Context, d Decision) error {
	d.Reason = printable.MakeLines(d.Reason)
	switch {
	case !ID(d.ID):
		return ErrDecided // and there is nothing of that id to show
	case d.State != Accepted && d.State != Returned:
		return ErrNoDecision
	case d.Reason == "" && d.State == Returned:
		return ErrNoReason
	case utf8.RuneCountInString(d.Reason) > maxReason:
		return ErrLongReason
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		done, err := queries.CompliancePersonDecide(ctx, db.CompliancePersonDecideParams{
			State: string(d.State), Reason: d.Reason, DecidedBy: d.By, ComplianceID: d.ID,
			Number: int32(d.Number), Revision: int32(d.Revision), //nolint:gosec // numbers beyond are nobody's
		})
		if err != nil {
			return err
		}
		if done == 0 {
			return ErrDecided
		}
		admins, err := queries.ComplianceAdminList(ctx, d.ID)
		if err != nil {
			return err
		}
		for _, a := range admins {
			err = errors.Join(err, s.mail.Add(ctx, tx, mail.Order{
				Kind: LetterDecided, Key: fmt.Sprintf("%s/%s/%d/%d/%s", LetterDecided, d.ID, d.Number, d.Revision, a.ID),
				Data: DecidedLetter{ID: d.ID, To: a.Email, Number: d.Number, State: d.State, Reason: d.Reason},
			}))
		}
		return errors.Join(err, s.note(ctx, queries, d.By, "identity "+string(d.State), d.ID, d.Number, d.Reason))
	})
}

func (s *Records) note(ctx context.Context, queries *db.Queries, by, action, id string, number int, reason string) error {
	return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: action, Subject: personPlace(id, number), Reason: reason})
}
