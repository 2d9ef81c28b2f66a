package merchant

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// Limits on names, in characters (ADMIN-08).
const (
	leastName  = 2
	mostName   = 100 // of a person
	mostTrade  = 200 // of a business
	mostCode   = 40
	emptyStart = "shop"
)

// Names are the answers to the first step.
type Names struct{ First, Last, Business string }

// Trim returns the names in tidy form.
func (n Names) Trim() Names {
	return Names{typed.Line(n.First), typed.Line(n.Last), typed.Line(n.Business)}
}

// checkName checks a trimmed name: leastName characters at least, most at most. It returns "" for nothing wrong.
func checkName(name string, most int, short string) string {
	n := utf8.RuneCountInString(name)
	switch {
	case n < leastName:
		return short
	case n > most:
		return "Use at most " + strconv.Itoa(most) + " characters."
	}
	return typed.Tidy(&name, most, "name", "")
}

// Check returns what is wrong with trimmed names (ADMIN-08), by the fields firstName, lastName and name.
func (n Names) Check() fault.Problems {
	problems := fault.Problems{
		"firstName": checkName(n.First, mostName, "Enter your first name, with two characters or more."),
		"lastName":  checkName(n.Last, mostName, "Enter your last name, with two characters or more."),
		"name":      checkName(n.Business, mostTrade, "Enter the name of your business, with two characters or more."),
	}
	maps.DeleteFunc(problems, func(_, problem string) bool { return problem == "" })
	return problems
}

// ShortCode derives a code from a business's name (ADMIN-41): the first two words in lower case, joined, without anything
// but letters and digits. Accents are taken off. It is "" for a name without any of them.
func ShortCode(name string) string {
	words := strings.Fields(name)
	if len(words) > 2 {
		words = words[:2]
	}
	code := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, norm.NFKD.String(strings.ToLower(strings.Join(words, ""))))
	return code[:min(len(code), mostCode)]
}

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
