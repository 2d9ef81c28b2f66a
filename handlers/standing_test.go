package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestTheStatusStaysUpWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	ask := func() string {
		t.Helper()
		app.Health.Look(t.Context())
		got := app.Get(t, "/status")
		got.Must(t, http.StatusOK, "/status")
		for _, inside := range []string{"SQLSTATE", "FATAL", "pgx", "dial", "test_"} {
			check.Lacks(t, got.Body, inside, "the page reveals")
		}
		return app.Visit(t, "/status").Text()
	}
	if well := ask(); !strings.Contains(well, "Everything works") || strings.Count(well, ": works") != 4 {
		t.Errorf("with everything working the page says %s", well)
	}
	leave, back := database(t, app)
	leave()
	away := ask()
	for _, want := range []string{"Some parts are not working", "Ordering: does not work", "Payments: does not work", "Card gateway: works", "Email: works", "Since "} {
		check.Contains(t, away, want, "without the database the page lacks")
	}
	back()
	// Each pooled connection that the database has closed fails once.
	apptest.Eventually(t, "the page says that the database is back", func() bool { return strings.Contains(ask(), "Everything works") })
}

func TestTheStatusTellsThatARestoreKeepsPaymentsClosed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, step := range []struct {
		name, does, payments string
	}{
		{"after the restore", "INSERT INTO restore (backup_at) VALUES (now())", "Payments: does not work"},
		{"after the import", "UPDATE restore SET reopened_at = now()", "Payments: works"},
		{"single payments of the backup are still closed", "UPDATE restore SET held = true", "Payments: works"},
	} {
		dbtest.Exec(t, app.Pool, step.does)
		app.Health.Look(t.Context())
		if said := app.Visit(t, "/status").Text(); !strings.Contains(said, step.payments) || !strings.Contains(said, "Ordering: works") {
			t.Errorf("%s: %s", step.name, said)
		}
	}
}
