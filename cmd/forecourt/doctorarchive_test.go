package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
	"forecourt/internal/dbtest"
)

// TestTheDoctorLooksAtTheArchive looks at a site that has an archive and no backup.
func TestTheDoctorLooksAtTheArchive(t *testing.T) {
	t.Parallel()
	d, place, key := archived(t)
	p := start(t, d.values, "serve")
	c := newCustomer(t, p.ready())
	d.copied()
	paid(c) // which the copy does not hold
	d.handOver()
	dsn, err := embedded.Attach(d.values["FORECOURT_DATA"], embedded.Database)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	transactions := dbtest.Value[int](t, conn, "SELECT count(*) FROM transaction")

	found := examine(d, 0, "--restore", "--identity", key)
	for check, says := range map[string]string{
		"archive": "the last file was archived at 20", "copies": "the newest copy is of 20", "restore": place + " was restored up to 20",
	} {
		if got := found[check]; got.Verdict != fine || !strings.HasPrefix(got.Says, says) {
			t.Errorf("%s: %+v", check, got)
		}
	}
	if got := found["restore"]; !strings.HasSuffix(got.Says, fmt.Sprintf(" and read: %d transactions", transactions)) {
		t.Errorf("%d transactions were archived: %+v", transactions, got)
	}
	if got, ok := found["backup"]; ok {
		t.Errorf("a site with an archive needs no backup: %+v", got)
	}
	d.does(2, "doctor", "--identity", key)
	d.does(1, "doctor", "--restore", "--identity", filepath.Join(place, "none"))
	if code := p.end(); code != 0 {
		t.Errorf("stopped with %d: %s", code, p.stderr)
	}
}
