package merchant

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
)

// Draft records how far a person has got in making a merchant. The zero value is the start.
type Draft struct {
	Names       Names
	Answers     Answers
	Preselected []string
}

// Named reports whether the first step is done (basicInfoDone).
func (d Draft) Named() bool { return len(d.Names.Check()) == 0 }

// Errors of the steps.
var (
	ErrNames  = fault.New(fault.Invalid, "a name is missing or does not fit")
	ErrAnswer = fault.New(fault.Invalid, "that is no answer to this question")
	// ErrNoDraft means that the draft was never begun, or that its merchant already exists.
	ErrNoDraft = fault.New(fault.Conflict, "nothing is under way")
)

// Draft returns an account's draft; found is false if there is none yet.
func (m *Merchants) Draft(ctx context.Context, account uuid.UUID) (d Draft, found bool, err error) {
	row, err := m.queries.OnboardingGet(ctx, account)
	if errors.Is(err, pgx.ErrNoRows) {
		return Draft{}, false, nil
	}
	if err != nil {
		return Draft{}, false, err
	}
	d, err = readDraft(row)
	return d, true, err
}

// SaveNames keeps the names of the first step. Errors: fault.Problems.
func (m *Merchants) SaveNames(ctx context.Context, account uuid.UUID, names Names) error {
	names = names.Trim()
	if err := names.Check().Err(); err != nil {
		return err
	}
	return m.queries.OnboardingPutNames(ctx, db.OnboardingPutNamesParams{
		AccountID: account, FirstName: names.First, LastName: names.Last, Name: names.Business,
	})
}

// SaveAnswer keeps an answer. Errors: ErrAnswer, ErrNoDraft.
func (m *Merchants) SaveAnswer(ctx context.Context, account uuid.UUID, question Question, answer string) error {
	if !slices.Contains(question.Choices(), answer) {
		return ErrAnswer
	}
	n, err := m.queries.OnboardingPutAnswer(ctx, string(question), answer, account)
	if err == nil && n == 0 {
		return ErrNoDraft
	}
	return err
}

// Preselect stores the products that the address preselects (ADMIN-22).
func (m *Merchants) Preselect(ctx context.Context, account uuid.UUID, codes []string) error {
	return m.queries.OnboardingPutPreselected(ctx, account, codes)
}

func readDraft(row db.Onboarding) (Draft, error) {
	d := Draft{Names: Names{row.FirstName, row.LastName, row.Name}, Preselected: row.Preselected}
	return d, json.Unmarshal(row.Answers, &d.Answers)
}
