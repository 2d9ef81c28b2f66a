package main

import (
	"archive/zip"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// asked runs a query on the serving program's database and returns its one text.
func (s shell) asked(query string, args ...any) string {
	s.t.Helper()
	return dbtest.Value[string](s.t, connectInside(s.t, s.values["FORECOURT_DATA"], false), query, args...)
}

const (
	annsPlaces = `SELECT (SELECT count(*) FROM account WHERE email = 'ann@example.com') || ' ' ||
		(SELECT count(*) FROM attempt WHERE payer_name || payer_email || consumer_name || consumer_email <> '')`
	made = `WITH made AS (UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1 RETURNING 1)
		SELECT count(*)::text FROM made`
)

func TestErasuresAreRepeatedAfterARestore(t *testing.T) {
	t.Parallel()
	d := newShell(t)
	backup, copied := filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "ann.zip")
	p := start(t, d.values, "serve")
	c := newCustomer(t, p.ready())
	paid := c.json(c.order("panezski"), "panezski", "200", "pan", approves)
	d.does(0, "user", "add", "ann@example.com", "--name", "Ann Lee")
	d.does(0, "privacy", "export", "ann@example.com", copied)
	holdsAnn(t, copied)
	d.does(0, "backup", backup)
	check.MustEqual(t, d.asked(annsPlaces), "1 1", "before")
	d.does(1, "privacy", "erase", "--account", "nobody@example.com", "--yes")
	d.does(2, "privacy", "erase", "--yes")
	d.does(0, "privacy", "erase", "--account", "Ann@example.com", "--yes")
	d.does(1, "privacy", "erase", "--payer", paid, "--yes") // the kitchen still has to make the order
	d.asked(made, paid)
	token := d.asked("SELECT token FROM receipt WHERE transaction_id = $1", paid)
	d.does(0, "privacy", "erase", "--payer", "https://pay.example/receipt/"+token, "--yes")
	erased := d.asked(
		`SELECT string_agg(split_part(subject, ' ', -1), ' ' ORDER BY action) FROM audit WHERE action IN ('account erased', 'payer erased')`,
	)
	check.Equal(t, d.asked(annsPlaces), "0 0", "erased")
	d.says(0, "1 captures, 0 refunds, 0 differences", "reconcile")
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)

	// The restore says what to do, and what the audit named can be repeated.
	d.values = maps.Clone(d.values)
	d.values["FORECOURT_DATA"] = dataFolder(t)
	d.says(0, "repeat those erasures", "restore", backup)
	p = start(t, d.values, "serve")
	p.ready()
	check.Equal(t, d.asked(annsPlaces), "1 1", "after the restore")
	subjects := strings.Fields(erased)
	d.does(0, "privacy", "erase", "--account", subjects[0], "--yes")
	d.asked(made, paid)
	d.does(0, "privacy", "erase", "--payer", subjects[1], "--yes")
	check.Equal(t, d.asked(annsPlaces), "0 0", "erased again")
	d.does(0, "reconcile", "--import")
	d.says(0, " 0 differences", "reconcile")
	p.end()
}

func holdsAnn(t *testing.T, file string) {
	t.Helper()
	r, err := zip.OpenReader(file)
	check.Must(t, err)
	defer func() { _ = r.Close() }()
	f, err := r.Open("account.json")
	check.Must(t, err)
	text, err := io.ReadAll(f)
	if err != nil || !strings.Contains(string(text), "Ann Lee") || strings.Contains(string(text), "argon2") {
		t.Errorf("the copy has %s, %v", text, err)
	}
}
