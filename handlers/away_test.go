package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// database returns functions that cut off the test's database and bring it back, using a connection to another database.
func database(t *testing.T, app *apptest.App) (leave, back func()) {
	t.Helper()
	cfg := app.Owner(t).Config().ConnConfig.Copy()
	name := cfg.Database
	cfg.Database, cfg.Tracer = "postgres", nil
	conn, err := pgx.ConnectConfig(t.Context(), cfg)
	check.Must(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	exec := func(statement string, args ...any) {
		_, err := conn.Exec(t.Context(), statement, args...)
		check.NoError(t, err)
	}
	leave = func() {
		exec("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS false")
		exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
	}
	return leave, func() { exec("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS true") }
}

func TestADatabaseThatIsAwayComesBack(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	order := map[string]any{"merchantId": "panezski", "order": []map[string]any{{"name": "Butter Croissant", "qty": 1}}}
	leave, back := database(t, app)
	leave()
	t.Run("the error page has its bars (NAV-10)", func(t *testing.T) {
		for _, path := range []string{"/", "/pos/moollar", "/pos/panezski/" + id} {
			got := app.Get(t, path)
			got.Want(t, http.StatusServiceUnavailable, path, "Back in a moment").HasHeader(t, "Retry-After", "…")
			check.Contains(t, got.Body, "Not Logged In", "%s", path)
			check.Contains(t, got.Body, `aria-label="Main"`, "%s", path)
			check.Contains(t, got.Body, `<p role="alert">`, "POS-27 %s", path)
			for _, inside := range []string{"SQLSTATE", "FATAL", "pgx", "dial", "test_"} {
				check.Lacks(t, got.Body, inside, "%s reveals", path)
			}
		}
	})
	t.Run("an error of a call is JSON (POS-27 API-06)", func(t *testing.T) {
		for path, got := range map[string]apptest.Answer{
			"/readyz": app.Get(t, "/readyz"), "/api/pos/sabona": app.Get(t, "/api/pos/sabona"),
			"/api/pos": app.PostJSON(t, "/api/pos", order),
		} {
			if got.Status != http.StatusServiceUnavailable || !strings.HasPrefix(got.Body, `{"error":`) {
				t.Errorf("%s: %d %s", path, got.Status, got.Body)
			}
		}
	})
	app.Get(t, "/healthz").Want(t, http.StatusOK, "the process's own health check")
	back()
	for _, path := range []string{"/", "/pos/moollar", "/pos/panezski/" + id, "/readyz"} {
		app.Get(t, path).Want(t, http.StatusOK, path+" is still away")
	}
	app.PostJSON(t, "/api/pos", order).Want(t, http.StatusCreated, "ordering is still away")
}

func TestAnInternalErrorRevealsNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Owner(t), "ALTER TABLE item RENAME TO secret_table; ALTER TABLE order_line RENAME TO other_secret")
	t.Run("an error reveals nothing of the inside (POS-27)", func(t *testing.T) {
		for _, path := range []string{"/pos/panezski", "/api/pos/panezski"} {
			got := app.Get(t, path)
			got.Want(t, http.StatusInternalServerError, path, "on our side")
			for _, inside := range []string{"SQLSTATE", "relation", "item", "pgx", ".go:", "goroutine"} {
				check.Lacks(t, got.Body, inside, "%s reveals", path)
			}
		}
	})
}

func TestReadyMeansMigrated(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Owner(t), "DELETE FROM goose_db_version WHERE version_id > 1")
	app.Get(t, "/readyz").Want(t, http.StatusServiceUnavailable, "ready without all migrations")
}
