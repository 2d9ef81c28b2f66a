package form_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/people/account"
	"forecourt/internal/people/review"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
)

type desk struct {
	*form.Forms
	pool *pgxpool.Pool
}

func TestMain(m *testing.M) { dbtest.Main(m) }

func open(t *testing.T) desk {
	t.Helper()
	pool := dbtest.Pool(t)
	queue := mail.NewQueue(pool)
	return desk{form.New(pool, queue, account.Verification{}), pool}
}

func (d desk) person(t *testing.T, email string) shop.Person {
	t.Helper()
	owner := shop.Person{ID: uuid.New(), Email: email}
	_, err := db.New(d.pool).AccountAdd(t.Context(), db.AccountAddParams{ID: owner.ID, Email: email, PasswordHash: "x", Verified: true})
	check.Must(t, err)
	return owner
}

// answers returns valid answers for every step of an application.
func answers() []form.Step {
	return []form.Step{
		&form.PrimaryContact{Contacts: []form.Contact{{First: " Ann ", Last: "B", Email: "ann@b.co"}, {}, {First: "Bob"}}},
		&form.BusinessInfo{Country: "AU", TradingName: "Café", EntityType: form.PtyLtd},
		&form.PaymentTypes{PayTypes: []string{"In person payments"}},
		&form.StakeHolders{People: []form.StakeHolder{{Name: "Ann", Type: "Individual", RoleFlags: form.RoleFlags{Director: true}}, {}}},
	}
}

func (d desk) fill(t *testing.T, owner shop.Person) {
	t.Helper()
	for i, step := range answers() {
		if _, err := d.Save(t.Context(), owner, form.Application, i, step); err != nil {
			t.Fatal(i, err)
		}
	}
}

func (d desk) handIn(t *testing.T, owner shop.Person) *form.Form {
	t.Helper()
	d.fill(t, owner)
	f, err := d.Submit(t.Context(), owner, form.Application, "")
	check.Must(t, err)
	return f
}

func TestAFreshForm(t *testing.T) {
	t.Parallel()
	d := open(t)
	owner := d.person(t, "ann@example.com")
	t.Run("a fresh form has its services, the account's email and the defaults (FORM-09 FORM-11 FORM-12 FORM-21 FORM-22 FORM-34 FORM-35)", func(t *testing.T) {
		for kind, services := range map[form.Kind]string{
			form.Application: "[]", form.WPTest: "[Shopping Cart Plugin]", form.DDTest: "[Direct Debit]", form.TestAccount: "[]",
		} {
			f, err := d.Get(t.Context(), owner, kind)
			check.Must(t, err)
			check.Equal(t, fmt.Sprint(f.Data.Services), services, "%s starts with the services", kind)
			if !f.Data.SignedIn || f.Data.Contacts[0].Email != owner.Email || f.Data.Country != "AU" || f.Data.EntityType != "Pty Ltd" || f.Next() != 0 {
				t.Errorf("%s starts as %+v", kind, f.Data)
			}
		}
	})
}

func TestADraftIsStoredUnderTheEntitysFieldNames(t *testing.T) {
	t.Parallel()
	d := open(t)
	owner := d.person(t, "ann@example.com")
	d.fill(t, owner)
	stored := dbtest.Value[[]byte](t, d.pool, "SELECT data FROM form")
	var got, want any
	_ = json.Unmarshal(stored, &got)
	_ = json.Unmarshal([]byte(`{"signedIn": true, "contacts": [{"first": "Ann", "last": "B", "email": "ann@b.co"}, {"first": "Bob", "last": "", "email": ""}],
		"country": "AU", "name": "Café", "entityName": "", "entityType": "Pty Ltd", "natureOfBusiness": "", "url": "", "services": null,
		"paytypes": ["In person payments"], "stakeHolders": [{"name": "Ann", "type": "Individual", "director": true}]}`), &want)
	t.Run("contacts and people are stored as lists (FORM-27 FORM-41 FORM-42)", func(t *testing.T) {
		check.Equal(t, fmt.Sprint(got), fmt.Sprint(want), "stored, want")
	})
	again, err := d.Get(t.Context(), shop.Person{ID: owner.ID, Email: "new@example.com"}, form.Application)
	t.Run("an email that was saved is kept (FORM-23)", func(t *testing.T) {
		if err != nil || again.Data.Contacts[0].Email != "ann@b.co" {
			t.Errorf("an existing address was overwritten: %v, %v", again, err)
		}
	})
	t.Run("another account has its own draft (FORM-53)", func(t *testing.T) {
		if other, err := d.Get(t.Context(), d.person(t, "bob@example.com"), form.Application); err != nil || other.Data.TradingName != "" {
			t.Errorf("another account sees the draft: %v, %v", other, err)
		}
	})
}

func TestStepsAreSavedInOrder(t *testing.T) {
	t.Parallel()
	d := open(t)
	owner := d.person(t, "ann@example.com")
	if _, err := d.Save(t.Context(), owner, form.Application, 2, answers()[2]); !errors.Is(err, form.ErrIncomplete) {
		t.Errorf("FORM-19 saving a step before the previous ones: %v", err)
	}
	if _, err := d.Save(t.Context(), owner, form.Application, 0, &form.PrimaryContact{}); !errors.As(err, &fault.Problems{}) {
		t.Errorf("FORM-15 saving an invalid step: %v", err)
	}
	if _, err := d.Submit(t.Context(), owner, form.Application, ""); !errors.Is(err, form.ErrIncomplete) {
		t.Errorf("submitting an empty form: %v", err)
	}
	for i, step := range answers() {
		f, err := d.Save(t.Context(), owner, form.Application, i, step)
		if err != nil || f.Next() != i+1 {
			t.Errorf("FORM-15 the step after %d is %d, %v", i, f.Next(), err)
		}
	}
	d.fill(t, owner) // go through all steps again
	f, err := d.Keep(t.Context(), owner, form.Application, &form.PrimaryContact{})
	if err != nil || f.Next() != 0 {
		t.Errorf("FORM-19 with an empty first step, the next step is %d, %v", f.Next(), err)
	}
}

func TestAPresetStepIsNotSkipped(t *testing.T) {
	t.Parallel()
	d := open(t)
	owner := d.person(t, "ann@example.com")
	f, err := d.Save(t.Context(), owner, form.DDTest, 0, answers()[1])
	t.Run("after the business comes the step with the preset service (FORM-11)", func(t *testing.T) {
		if err != nil || f.Next() != 1 {
			t.Errorf("the step after the business is %d, %v", f.Next(), err)
		}
	})
}

func TestChangingTheEntityTypeRemovesRoles(t *testing.T) {
	t.Parallel()
	d := open(t)
	owner := d.person(t, "ann@example.com")
	d.fill(t, owner)
	f, err := d.Save(t.Context(), owner, form.Application, 1, &form.BusinessInfo{Country: "AU", TradingName: "Café", EntityType: form.Trust})
	if err != nil || f.Data.People[0].Has(form.Director) || f.Data.People[0].Name != "Ann" || f.Next() != 3 {
		t.Errorf("FORM-50 the trust has the people %+v, the next step is %d, %v", f.Data.People, f.Next(), err)
	}
}

func TestConcurrentDevicesKeepEachOthersSteps(t *testing.T) {
	t.Parallel()
	d := open(t)
	owner := d.person(t, "ann@example.com")
	d.fill(t, owner)
	var both sync.WaitGroup
	for range 20 {
		both.Go(func() {
			_, err := d.Save(t.Context(), owner, form.Application, 2, &form.PaymentTypes{PayTypes: form.PayTypeNames()})
			check.NoError(t, err)
		})
		both.Go(func() {
			_, err := d.Save(t.Context(), owner, form.Application, 1, &form.BusinessInfo{Country: "GB", TradingName: "Pub", EntityType: form.PtyLtd})
			check.NoError(t, err)
		})
	}
	both.Wait()
	f, err := d.Get(t.Context(), owner, form.Application)
	if err != nil || len(f.Data.PayTypes) != 3 || f.Data.TradingName != "Pub" || len(f.Data.People) != 1 {
		t.Errorf("the form holds %+v, %v", f.Data, err)
	}
	check.Equal(t, dbtest.Value[int](t, d.pool, "SELECT count(*) FROM form"), 1, "forms are stored")
}

func TestAFormIsSubmittedOnce(t *testing.T) {
	t.Parallel()
	d := open(t)
	owner := d.person(t, "ann@example.com")
	d.fill(t, owner)
	references := make(chan string, 10)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			f, err := d.Submit(t.Context(), owner, form.Application, "")
			if err != nil {
				t.Error(err)
				return
			}
			references <- f.Reference
		})
	}
	all.Wait()
	close(references)
	first := <-references
	for reference := range references {
		check.Equal(t, reference, first, "FORM-51 two references")
	}
	if !regexp.MustCompile(`^A-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{2}$`).MatchString(first) {
		t.Errorf("FORM-51 reference %q", first)
	}
	if _, err := d.Save(t.Context(), owner, form.Application, 1, &form.BusinessInfo{Country: "GB", TradingName: "Pub", EntityType: form.PtyLtd}); !errors.Is(err, form.ErrSubmitted) {
		t.Errorf("Save on a submitted form: %v", err)
	}
	if _, err := d.Keep(t.Context(), owner, form.Application, &form.PrimaryContact{}); !errors.Is(err, form.ErrSubmitted) {
		t.Errorf("Keep on a submitted form: %v", err)
	}
	r, err := d.Review(t.Context(), first)
	if err != nil || r.Data.TradingName != "Café" || len(r.History) != 1 || r.HandedIn != 1 {
		t.Errorf("staff see %+v, %v", r, err)
	}
	check.Equal(t, dbtest.Value[int](t, d.pool, "SELECT count(*) FROM river_job WHERE kind = 'mail'"), 1, "mails are queued")
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	d := open(t)
	owner := d.person(t, "ann@example.com")
	f := d.handIn(t, owner)
	decide := func(state form.State, reason, by string, handedIn int) error {
		return d.Decide(t.Context(), f.Reference, review.Decision[form.State]{State: state, Reason: reason, By: by, Version: handedIn})
	}
	for name, err := range map[string]error{
		"decision: Choose a decision":                 decide(form.Draft, "x", "s1", 1), // which would open it again
		"reason: Say why, in words for the applicant": decide(form.Declined, " ", "s1", 1),
	} {
		var problems fault.Problems
		errors.As(err, &problems)
		check.Equal(t, problems.Sentences(), name, "a wrong decision")
	}
	for _, step := range []struct {
		name string
		err  error
		want error
	}{
		{"a decision on another submission", decide(form.Approved, "", "s1", 2), review.ErrDecided},
		{"a request for more information", decide(form.Returned, "Who is the director?", "s1", 1), nil},
		{"the same request again", decide(form.Returned, "Who is the director?", "s1", 1), nil},
		{"a second decision by somebody else", decide(form.Approved, "", "s2", 1), review.ErrDecided},
		{"no such form", d.Decide(t.Context(), "A-2222-22", review.Decision[form.State]{State: form.Approved, By: "s1", Version: 1}), form.ErrNoForm},
	} {
		check.ErrorIs(t, step.err, step.want, "%s", step.name)
	}
	back, err := d.Get(t.Context(), owner, form.Application)
	if err != nil || !back.Open() || back.Reason != "Who is the director?" {
		t.Errorf("after the request for more, the owner has %+v, %v", back, err)
	}
	again := d.handIn(t, owner)
	if again.Reference != f.Reference || again.HandedIn != 2 || again.Reason != "" {
		t.Errorf("after resubmission the form is %+v", again)
	}
	check.ErrorIs(t, decide(form.Approved, "", "s1", 1), review.ErrDecided, "a decision on the earlier submission")
	check.NoError(t, decide(form.Approved, "", "s1", 2))
	r, err := d.Review(t.Context(), f.Reference)
	if err != nil || r.State != form.Approved || r.DecidedBy != "s1" || len(r.History) != 4 {
		t.Errorf("after the approval the form is %+v, %v", r, err)
	}
}

func TestOneOfManyConcurrentDecisionsWins(t *testing.T) {
	t.Parallel()
	d := open(t)
	f := d.handIn(t, d.person(t, "ann@example.com"))
	var all sync.WaitGroup
	errs := make(chan error, 8)
	for i := range 8 {
		all.Go(func() {
			errs <- d.Decide(t.Context(), f.Reference, review.Decision[form.State]{State: form.Approved, By: fmt.Sprint("s", i), Version: 1})
		})
	}
	all.Wait()
	close(errs)
	won := 0
	for err := range errs {
		if err == nil {
			won++
		} else if !errors.Is(err, review.ErrDecided) {
			t.Error(err)
		}
	}
	check.Equal(t, won, 1, "… of 8 decisions succeeded")
	if r, err := d.Review(t.Context(), f.Reference); err != nil || len(r.History) != 2 {
		t.Errorf("the history is %+v, %v", r.History, err)
	}
}

func TestTheQueue(t *testing.T) {
	t.Parallel()
	d := open(t)
	var references []string
	for i := range review.PageSize + 2 {
		references = append(references, d.handIn(t, d.person(t, fmt.Sprintf("p%d@example.com", i))).Reference)
	}
	_, err := d.Save(t.Context(), d.person(t, "draft@example.com"), form.Application, 0, answers()[0])
	check.Must(t, err)
	check.Must(t, d.Decide(t.Context(), references[3], review.Decision[form.State]{State: form.Declined, Reason: "x", By: "s", Version: 1}))
	page, more, err := d.Queue(t.Context(), form.Filter{State: form.Submitted})
	if err != nil || !more || len(page) != review.PageSize || *page[0].Reference != references[0] || *page[3].Reference != references[4] {
		t.Errorf("the first page has %d, more %v, %v", len(page), more, err)
	}
	page, more, err = d.Queue(t.Context(), form.Filter{State: form.Submitted, Page: 2})
	if err != nil || more || len(page) != 1 || *page[0].Reference != references[len(references)-1] {
		t.Errorf("the second page has %d, more %v, %v", len(page), more, err)
	}
	page, _, err = d.Queue(t.Context(), form.Filter{State: form.Declined, Kind: form.Application})
	if err != nil || len(page) != 1 || page[0].TradingName != "Café" {
		t.Errorf("the declined forms are %v, %v", page, err)
	}
	if page, _, err = d.Queue(t.Context(), form.Filter{Kind: form.WPTest}); err != nil || len(page) != 0 {
		t.Errorf("the forms of another kind are %v, %v", page, err)
	}
	counts, err := d.Counts(t.Context(), "")
	if err != nil || counts[form.Submitted] != review.PageSize+1 || counts[form.Declined] != 1 || counts[form.Draft] != 0 {
		t.Errorf("counts are %v, %v", counts, err)
	}
}
