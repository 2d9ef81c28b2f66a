package secret_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const older, newer = "the secret of before, of 32 bytes", "the secret from now on, of 32 bytes"

// TestEveryColumnIsDescribed fails if a column is added whose rows would never be resealed.
func TestEveryColumnIsDescribed(t *testing.T) {
	t.Parallel()
	want := dbtest.Value[[]string](t, dbtest.Pool(t), `SELECT array_agg(table_name || '.' || column_name) FROM information_schema.columns
		WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name LIKE '%sealed'`)
	var got []string
	for _, c := range app.Sealed() {
		got = append(got, c.Table+"."+c.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	check.List(t, got, want, "the described columns, and those of the database")
}

// filled returns a database with one row for each column, or n pictures, sealed with the older secret.
func filled(t *testing.T, pictures int) *pgxpool.Pool {
	t.Helper()
	pool := dbtest.Pool(t)
	do := func(statement string, args ...any) { dbtest.Exec(t, pool, statement, args...) }
	ann, session, form, merchant := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	do("INSERT INTO account (id, email, name, password_hash) VALUES ($1, 'ann@example.com', '', '')", ann)
	do("INSERT INTO session (id_hash, handle, account_id, address, agent) VALUES ('\\x01', $1, $2, '', '')", session, ann)
	do("INSERT INTO totp (account_id, sealed, setup_by, next_sealed) VALUES ($1, '', $2, '')", ann, session)
	do("INSERT INTO kept (id, account_id, sealed) VALUES ($1, $2, '')", form, ann)
	do("INSERT INTO merchant (uuid, uid, code, name, mid, key_sealed, old_key_sealed, old_key_until) VALUES ($1, $2, 'ann', 'Ann', 'm1', '', '', now())", merchant, ann)
	do("INSERT INTO certificate_file (key, sealed) VALUES ('certificates/pay.example', '')")
	do("INSERT INTO receipt_key (public, sealed) VALUES ($1, '')", make([]byte, 32))
	do("INSERT INTO shop (code, name, accent) VALUES ('ann', 'Ann', '#000000')")
	do("INSERT INTO shop_account (shop_code, live, paylink_mid, pwd_sealed) VALUES ('ann', true, 'm', ''), ('ann', false, 'm', '')")
	do("INSERT INTO payout_account (id, shop_code, sealed, asked_by) VALUES ($1, 'ann', '', 'ann@example.com')", form)
	do("INSERT INTO compliance (id, name) VALUES ('c1', 'Ann')")
	do("INSERT INTO compliance_text (hash, version, document) VALUES ($1, '1', 'text')", make([]byte, 32))
	do("INSERT INTO compliance_agreement (compliance_id, text_hash, sealed, signer_id, signer, address) VALUES ('c1', $1, '', $2, 'ann@example.com', '')", make([]byte, 32), ann)
	do("INSERT INTO compliance_person (compliance_id, number, required, sealed) SELECT 'c1', n, '{}', '' FROM generate_series(1, $1::int) n", pictures)
	do("INSERT INTO compliance_image (compliance_id, number, side, sealed) SELECT 'c1', n, 'front', '' FROM generate_series(1, $1::int) n", pictures)
	ring := secret.NewRing(older)
	for _, c := range app.Sealed() {
		seal(t, pool, ring, c)
	}
	return pool
}

// seal fills a column with the text "kept", as the program does.
func seal(t *testing.T, pool *pgxpool.Pool, ring secret.Ring, c secret.Column) {
	t.Helper()
	box := ring.Box(c.Purpose)
	for _, r := range rowsOf(t, pool, c) {
		place := c.Place(r.Parts)
		dbtest.Exec(t, pool, "UPDATE "+c.Table+" SET "+c.Name+" = $1 WHERE ctid = $2::text::tid", box.Seal([]byte("kept"), place), r.At)
	}
}

type found struct {
	At     string
	Parts  []string
	Sealed []byte
}

func rowsOf(t *testing.T, pool *pgxpool.Pool, c secret.Column) []found {
	t.Helper()
	var parts []string
	for _, p := range slices.Concat(c.Key, c.And) {
		parts = append(parts, p.Name+"::text")
	}
	rows, err := pool.Query(t.Context(), fmt.Sprintf(
		"SELECT ctid::text, ARRAY[%s], %s FROM %s WHERE %[2]s IS NOT NULL", strings.Join(parts, ", "), c.Name, c.Table,
	))
	check.Must(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[found])
	check.Must(t, err)
	return all
}

// opened counts the rows of a column that open with a ring.
func opened(t *testing.T, pool *pgxpool.Pool, ring secret.Ring, c secret.Column) (n int) {
	t.Helper()
	box := ring.Box(c.Purpose)
	for _, r := range rowsOf(t, pool, c) {
		if text, err := box.Open(r.Sealed, c.Place(r.Parts)); err == nil && string(text) == "kept" {
			n++
		}
	}
	return n
}

// rotation replaces the older secret with the newer one.
func rotation() secret.Rotation {
	return secret.Rotation{
		Columns: app.Sealed(), From: older, To: newer, Also: func(context.Context, pgx.Tx) error { return nil },
	}
}

// expect fails unless all rows open with one secret and none with the other.
func expect(t *testing.T, pool *pgxpool.Pool, with, without string) {
	t.Helper()
	for _, c := range app.Sealed() {
		rows := len(rowsOf(t, pool, c))
		if opened(t, pool, secret.NewRing(with), c) != rows || opened(t, pool, secret.NewRing(without), c) != 0 || rows == 0 {
			t.Errorf("%s.%s: not each of its %d rows opens with %q alone", c.Table, c.Name, rows, with)
		}
	}
}

func TestASecretIsReplacedAsAWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	pool := filled(t, 120)
	check.Must(t, secret.CheckDatabase(t.Context(), pool, app.Sealed(), older))
	killed := rotation()
	killed.Also = func(context.Context, pgx.Tx) error { return context.Canceled } // after the last row
	if _, err := killed.Run(t.Context(), pool); !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted run: %v", err)
	}
	expect(t, pool, older, newer)
	check.NoError(t, secret.CheckDatabase(t.Context(), pool, app.Sealed(), older), "the older secret after an interrupted run")
	for range 2 { // run again, it has nothing to do
		_, err := rotation().Run(t.Context(), pool)
		check.Must(t, err)
		expect(t, pool, newer, older)
	}
	check.NoError(t, secret.CheckDatabase(t.Context(), pool, app.Sealed(), newer), "the newer secret")
	var wrong *secret.WrongError
	if err := secret.CheckDatabase(t.Context(), pool, app.Sealed(), older); !errors.As(err, &wrong) || wrong.Needs != secret.Fingerprint(newer) {
		t.Errorf("the older secret: %v", err)
	}
	third := rotation()
	third.From, third.To = older, "a third secret, which is of 32 bytes"
	if _, err := third.Run(t.Context(), pool); !errors.As(err, &wrong) {
		t.Errorf("from a secret that is not the database's: %v", err)
	}
}

func TestASecretIsNotReplacedWhileAProgramServes(t *testing.T) {
	t.Parallel()
	pool := filled(t, 1)
	conn, err := pool.Acquire(t.Context())
	check.Must(t, err)
	defer conn.Release()
	dbtest.Exec(t, conn, "SELECT pg_advisory_lock_shared($1)", secret.ServingLock)
	_, err = rotation().Run(t.Context(), pool)
	check.ErrorIs(t, err, secret.ErrServing, "while a program serves")
	expect(t, pool, older, newer)
}

// A site may have been updated while rows still waited for the command of the version before.
func TestRowsOfAnEarlierSecretAreRefused(t *testing.T) {
	t.Parallel()
	pool := filled(t, 2)
	var old *secret.OlderError
	if err := secret.CheckDatabase(t.Context(), pool, app.Sealed(), newer); !errors.As(err, &old) || len(old.Columns) < 8 {
		t.Fatalf("%v", err)
	}
	lost := rotation()
	lost.From = "a secret that sealed nothing at all here"
	if _, err := lost.Run(t.Context(), pool); !errors.As(err, &old) {
		t.Errorf("without the secret that sealed them: %v", err)
	}
	expect(t, pool, older, newer)
	lost.Lost = true
	results, err := lost.Run(t.Context(), pool)
	check.Must(t, err)
	for _, r := range results {
		if r.Rows == 0 || len(r.Lost) != r.Rows || r.Column.Lost == "" {
			t.Errorf("%s.%s: %+v", r.Table, r.Name, r)
		}
	}
	check.NoError(t, secret.CheckDatabase(t.Context(), pool, app.Sealed(), newer), "after the loss")
}
