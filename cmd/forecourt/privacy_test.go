package main

import (
	"archive/zip"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
)

// asked runs a query on the serving program's database and returns its one text.
func (d drill) asked(query string, args ...any) string {
	d.t.Helper()
	dsn, err := embedded.Attach(d.values["FORECOURT_DATA"], embedded.Database)
	if err != nil {
		d.t.Fatal(err)
	}
	conn, err := pgx.Connect(d.t.Context(), dsn)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = conn.Close(d.t.Context()) }()
	var text string
	if err := conn.QueryRow(d.t.Context(), query, args...).Scan(&text); err != nil {
		d.t.Fatalf("%s: %v", query, err)
	}
	return text
}

const (
	annsPlaces = `SELECT (SELECT count(*) FROM account WHERE email = 'ann@example.com') || ' ' ||
		(SELECT count(*) FROM attempt WHERE payer_name || payer_email || consumer_name || consumer_email <> '')`
	made = `WITH made AS (UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1 RETURNING 1)
		SELECT count(*)::text FROM made`
)

func TestErasuresAreRepeatedAfterARestore(t *testing.T) {
	t.Parallel()
	d := newDrill(t)
	backup, copied := filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "ann.zip")
	p := start(t, d.values, "serve")
	c := newCustomer(t, p.ready())
	paid := c.json(c.order("panezski"), "panezski", "200", "pan", approves)
	d.does(0, "user", "add", "ann@example.com", "--name", "Ann Lee")
	d.does(0, "privacy", "export", "ann@example.com", copied)
	holdsAnn(t, copied)
	d.does(0, "backup", backup)
	if got := d.asked(annsPlaces); got != "1 1" {
		t.Fatalf("before: %s", got)
	}
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
	if got := d.asked(annsPlaces); got != "0 0" {
		t.Errorf("erased: %s", got)
	}
	if books := d.does(0, "reconcile"); !strings.Contains(books, "1 captures, 0 refunds, 0 differences") {
		t.Errorf("the books are %s", books)
	}
	if code := p.end(); code != 0 {
		t.Fatalf("stopped with %d: %s", code, p.stderr)
	}

	// The restore says what to do, and what the audit named can be repeated.
	d.values = maps.Clone(d.values)
	d.values["FORECOURT_DATA"] = dataFolder(t)
	if said := d.does(0, "restore", backup); !strings.Contains(said, "repeat those erasures") {
		t.Errorf("it says %s", said)
	}
	p = start(t, d.values, "serve")
	p.ready()
	if got := d.asked(annsPlaces); got != "1 1" {
		t.Errorf("after the restore: %s", got)
	}
	subjects := strings.Fields(erased)
	d.does(0, "privacy", "erase", "--account", subjects[0], "--yes")
	d.asked(made, paid)
	d.does(0, "privacy", "erase", "--payer", subjects[1], "--yes")
	if got := d.asked(annsPlaces); got != "0 0" {
		t.Errorf("erased again: %s", got)
	}
	d.does(0, "reconcile", "--import")
	if books := d.does(0, "reconcile"); !strings.Contains(books, " 0 differences") {
		t.Errorf("the books are %s", books)
	}
	p.end()
}

func holdsAnn(t *testing.T, file string) {
	t.Helper()
	r, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	f, err := r.Open("account.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil || !strings.Contains(string(text), "Ann Lee") || strings.Contains(string(text), "argon2") {
		t.Errorf("the copy has %s, %v", text, err)
	}
}
