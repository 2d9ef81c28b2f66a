package compliance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/review"
	"forecourt/internal/run/picture"
	"forecourt/internal/shop/shop"
)

// ErrAccepted means that staff have accepted the person, who can no longer be changed.
var ErrAccepted = fault.New(fault.Conflict, "the person was accepted")

// ErrUnsigned means that the record's agreement must be signed first.
var ErrUnsigned = fault.New(fault.Conflict, "the agreement is not signed")

// Change is what a merchant sends about a person.
type Change struct {
	Details
	Pictures map[Side][]byte // the uploaded files
	Refused  map[Side]error  // why a file could not be received, to report as a problem
	Remove   Side            // a picture to take away, "" for none
	Answer   *string         // to the question of staff; nil leaves it as it is. It counts only while there is a question
}

// Save stores what is entered about a person. Valid pictures are stored whatever else is wrong; the details are stored only if all
// of them are valid. A part may be left entirely empty for now. Errors: fault.Problems of what it did not store, those with pictures by the
// field dlfront or dlback; ErrMissing, ErrUnsigned, ErrAccepted.
func (s *Records) Save(ctx context.Context, owner shop.Person, id string, number int, c Change) error {
	files, problems, err := s.rewrite(ctx, c)
	if err != nil {
		return err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		row, err := queries.CompliancePersonLockOwn(ctx, id, int32(number), owner.ID) //nolint:gosec // a number beyond is nobody's
		if err != nil {
			return missing(err)
		}
		signed, err := queries.ComplianceAgreementGet(ctx, id)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnsigned
		}
		if err != nil {
			return err
		}
		if row.State == state.PersonAccepted {
			return ErrAccepted
		}
		p, err := s.personOf(row)
		if err != nil {
			return err
		}
		if !p.asks(LicencePart) {
			files, problems = nil, fault.Problems{}
		}
		before := p.Details
		found, told := p.take(c, len(files) > 0, s.today(zoneOf(signed.TimeZone)))
		if c.Answer != nil {
			found.Note("answer", review.Answer(c.Answer))
		}
		maps.Copy(problems, found)
		answered := len(found) == 0 && p.answer(c.Answer) // if other fields have mistakes, the answer stays on the page
		if err := s.store(ctx, queries, id, &p, files, c.Remove); err != nil {
			return err
		}
		if !told && p.Details == before && len(files) == 0 && c.Remove == "" && !answered {
			return nil
		}
		return s.put(ctx, queries, id, &p)
	})
	if err != nil {
		return err
	}
	return problems.Err()
}

// answer takes over the answer to the staff's question, and reports whether it differs from the previous one.
func (p *Person) answer(text *string) bool {
	if text == nil || p.State != state.PersonReturned {
		return false
	}
	was := p.Answer
	p.Asked, p.Answer = p.Reason, *text
	return p.Answer != was
}

// take takes over the details if they are valid, and returns what is wrong with them.
func (p *Person) take(c Change, pictures bool, today time.Time) (problems fault.Problems, told bool) {
	d := c.Details
	d.tidy(p.Required)
	blank := d.blank()
	var filled []Part
	for _, part := range p.Required {
		if !slices.Contains(blank, part) || part == LicencePart && pictures {
			filled = append(filled, part)
		} else {
			d.clear(part)
		}
	}
	if len(filled) == 0 && c.Remove == "" && len(c.Refused) == 0 {
		filled = p.Required // report everything that a post without fields lacks
	}
	if problems = d.check(filled, today); len(problems) > 0 {
		return problems, false
	}
	p.Details = d
	return nil, true
}

// rewrite converts the files to the form that is stored, and returns what is wrong with the others.
func (s *Records) rewrite(ctx context.Context, c Change) (files map[Side][]byte, problems fault.Problems, err error) {
	files, problems = map[Side][]byte{}, fault.Problems{}
	for _, side := range []Side{Front, Back} {
		err := c.Refused[side]
		if file := c.Pictures[side]; err == nil && len(file) > 0 {
			var made []picture.Picture
			if made, err = s.studio.Reencode(ctx, file, picture.MaxSide); err == nil {
				files[side] = made[0].JPEG
			}
		}
		if err == nil {
			continue
		}
		if !picture.Refused(err) {
			return nil, nil, err
		}
		checker(problems).refused(side, err)
	}
	return files, problems, nil
}

// store stores pictures and removes one.
func (s *Records) store(ctx context.Context, queries *db.Queries, id string, p *Person, files map[Side][]byte, remove Side) error {
	for side, file := range files {
		err := queries.ComplianceImagePut(ctx, db.ComplianceImagePutParams{
			ComplianceID: id, Side: string(side), Sealed: s.box.Seal(file, picturePlace(id, p.Number, side)),
			Number: int32(p.Number), //nolint:gosec // from the database
		})
		if err != nil {
			return err
		}
	}
	if remove == "" {
		return nil
	}
	_, err := queries.ComplianceImageDrop(ctx, id, int32(p.Number), string(remove)) //nolint:gosec // from the database
	return err
}

// put stores a person. The state becomes state.PersonWaiting as soon as the person is complete.
func (s *Records) put(ctx context.Context, queries *db.Queries, id string, p *Person) error {
	now := p.State
	switch {
	case p.Complete():
		now = state.PersonWaiting
	case now == state.PersonWaiting:
		now = state.PersonOpen
	}
	sealed, err := s.sealPerson(id, p)
	if err != nil {
		return err
	}
	return queries.CompliancePersonSave(ctx, db.CompliancePersonSaveParams{
		Sealed: sealed, State: now, ComplianceID: id, Number: int32(p.Number), //nolint:gosec // from the database
	})
}

// today returns the date in a zone, as the midnight of UTC that dates are compared as.
func (s *Records) today(zone *time.Location) time.Time {
	y, m, d := s.now().In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Picture returns a side of a licence for an admin of the record, as a JPEG. Errors: ErrMissing.
func (s *Records) Picture(ctx context.Context, owner shop.Person, id string, number int, side Side) ([]byte, error) {
	sealed, err := s.queries.ComplianceImageGetOwn(ctx, db.ComplianceImageGetOwnParams{
		ComplianceID: id, Number: int32(number), Side: string(side), AccountID: owner.ID, //nolint:gosec // a number beyond is nobody's
	})
	if err != nil {
		return nil, missing(err)
	}
	return s.box.Open(sealed, picturePlace(id, number, side))
}

func picturePlace(id string, number int, side Side) string {
	return fmt.Sprintf("compliance %s/%d/%s", id, number, side)
}
