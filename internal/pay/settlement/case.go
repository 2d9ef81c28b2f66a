package settlement

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/people/review"
	"forecourt/internal/run/mail"
)

// Cases lists a page of what the gateways' ledgers and our books have differently, the oldest first. more is true if another page follows.
func (s *Settlement) Cases(ctx context.Context, page int) (cases []db.CaseListRow, more bool, err error) {
	skipped, atMost := review.Window(page)
	rows, err := s.queries.CaseList(ctx, db.CaseListParams{AllTimes: true, Skipped: skipped, AtMost: atMost})
	cases, more = review.Page(rows)
	return cases, more, err
}

// CaseCount returns how many cases there are.
func (s *Settlement) CaseCount(ctx context.Context) (int, error) {
	n, err := s.queries.CaseCount(ctx)
	return int(n), err
}

// most is how many cases Compare returns.
const most = 1000

// Comparison is what the ledgers list within a window, and the cases about it.
type Comparison struct {
	Totals []db.LedgerTotalsRow
	Cases  []db.CaseListRow
}

// Compare reads the ledgers from (included) to (excluded), and returns what they list and at most 1,000 cases about it, also with an error
// if one of several could not be read.
func (s *Settlement) Compare(ctx context.Context, from, to time.Time) (c Comparison, err error) {
	unread := s.Read(ctx, "", from, to)
	if c.Totals, err = s.queries.LedgerTotals(ctx, s.gatewayIDs(), &from, &to); err != nil {
		return c, err
	}
	c.Cases, err = s.queries.CaseList(ctx, db.CaseListParams{FromAt: &from, UntilAt: &to, AtMost: most})
	return c, errors.Join(unread, err)
}

func (s *Settlement) gatewayIDs() (ids []string) {
	for _, at := range s.gateways {
		ids = append(ids, at.ID())
	}
	return ids
}

// LetterCases tells a member of staff that there are new cases; its data is CasesData.
const LetterCases = "new cases"

// CasesData is what LetterCases needs.
type CasesData struct {
	To    string
	Cases int // found since the last letter
}

// tellStaff logs and mails that there are new cases, whatever made them.
func (s *Settlement) tellStaff(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if err := queries.LedgerLock(ctx); err != nil { // a reading that began earlier may have found some
			return err
		}
		found, err := queries.CaseTell(ctx)
		if err != nil || found == 0 {
			return err
		}
		s.log.ErrorContext(ctx, "the gateway's ledger differs: see /staff/unmatched", "cases", found)
		if s.mail == nil {
			return nil
		}
		staff, err := queries.StaffMails(ctx)
		if err != nil {
			return err
		}
		key, letters := "cases/"+uuid.NewString()+"/", make([]mail.Request, len(staff))
		for i, to := range staff {
			letters[i] = mail.Request{Kind: LetterCases, Key: key + to, Data: CasesData{to, int(found)}}
		}
		return s.mail.Add(ctx, tx, letters...)
	})
}
