package resealing_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app"
	"forecourt/internal/dbtest"
	"forecourt/internal/resealing"
	"forecourt/internal/secret"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const older, newer = "the secret of before, of 32 bytes", "the secret from now on, of 32 bytes"

// TestEveryColumnIsDescribed fails if a column is added whose rows would never be resealed.
func TestEveryColumnIsDescribed(t *testing.T) {
	t.Parallel()
	rows, err := dbtest.Pool(t).Query(t.Context(), `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name LIKE '%sealed' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var want, got []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		want = append(want, name)
	}
	for _, c := range app.Sealed() {
		got = append(got, c.Table+"."+c.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the described columns are\n%q, the database has\n%q", got, want)
	}
}

// filled returns a database with one row for each column, or n pictures, sealed with the older secret.
func filled(t *testing.T, pictures int) *pgxpool.Pool {
	t.Helper()
	pool := dbtest.Pool(t)
	do := func(statement string, args ...any) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	ann, session, form, merchant := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	do("INSERT INTO account (id, email, name, password_hash) VALUES ($1, 'ann@example.com', '', '')", ann)
	do("INSERT INTO session (id_hash, handle, account_id, address, agent) VALUES ('\\x01', $1, $2, '', '')", session, ann)
	do("INSERT INTO totp (account_id, sealed, setup_by, next_sealed) VALUES ($1, '', $2, '')", ann, session)
	do("INSERT INTO kept (id, account_id, sealed) VALUES ($1, $2, '')", form, ann)
	do("INSERT INTO merchant (uuid, uid, code, name, mid, key_sealed, old_key_sealed, old_key_until) VALUES ($1, $2, 'ann', 'Ann', 'm1', '', '', now())", merchant, ann)
	do("INSERT INTO data_copy (id, account_id) VALUES ($1, $2)", form, ann)
	do("INSERT INTO data_copy_part (copy_id, try, n, sealed) VALUES ($1, 1, 0, '')", form)
	do("INSERT INTO certificate_file (key, sealed) VALUES ('certificates/pay.example', '')")
	do("INSERT INTO receipt_key (public, sealed) VALUES ($1, '')", make([]byte, 32))
	do("INSERT INTO client (code, name, accent) VALUES ('ann', 'Ann', '#000000')")
	do("INSERT INTO client_account (client_code, live, paylink_mid, pwd_sealed) VALUES ('ann', true, 'm', ''), ('ann', false, 'm', '')")
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
	box, err := ring.Box(c.Purpose)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rowsOf(t, pool, c) {
		if _, err := pool.Exec(t.Context(), "UPDATE "+c.Table+" SET "+c.Name+" = $1 WHERE ctid = $2::text::tid", box.Seal([]byte("kept"), c.Place(r.parts)), r.at); err != nil {
			t.Fatal(err)
		}
	}
}

type found struct {
	at     string
	parts  []string
	sealed []byte
}

func rowsOf(t *testing.T, pool *pgxpool.Pool, c secret.Column) (all []found) {
	t.Helper()
	var parts string
	for _, p := range slices.Concat(c.Key, c.And) {
		parts += p.Name + "::text, "
	}
	rows, err := pool.Query(t.Context(), "SELECT ctid::text, "+parts+c.Name+" FROM "+c.Table+" WHERE "+c.Name+" IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		f := found{parts: make([]string, len(c.Key)+len(c.And))}
		into := []any{&f.at}
		for i := range f.parts {
			into = append(into, &f.parts[i])
		}
		if err := rows.Scan(append(into, &f.sealed)...); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// opened counts the rows of a column that open with a ring.
func opened(t *testing.T, pool *pgxpool.Pool, ring secret.Ring, c secret.Column) (n int) {
	t.Helper()
	box, err := ring.Box(c.Purpose)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rowsOf(t, pool, c) {
		if text, err := box.Open(r.sealed, c.Place(r.parts)); err == nil && string(text) == "kept" {
			n++
		}
	}
	return n
}

func TestRowsSealedWithAnOlderSecretAreResealed(t *testing.T) {
	t.Parallel()
	pool := filled(t, 2)
	for _, c := range app.Sealed() {
		name, rows := c.Table+"."+c.Name, len(rowsOf(t, pool, c))
		if rows == 0 || opened(t, pool, secret.NewRing(newer), c) != 0 || opened(t, pool, secret.NewRing(newer, older), c) != rows {
			t.Fatalf("%s: the test starts with %d rows, or with wrongly sealed ones", name, rows)
		}
		for run, want := range []int{rows, 0} {
			got, err := resealing.Run(t.Context(), pool, secret.NewRing(newer, older), c, nil)
			if err != nil || got.Rows != rows || got.Renewed != want || len(got.Lost) != 0 {
				t.Errorf("%s, run %d: %+v, %v", name, run, got, err)
			}
		}
		if got := opened(t, pool, secret.NewRing(newer), c); got != rows {
			t.Errorf("%s: %d of %d rows open without the older secret", name, got, rows)
		}
	}
}

func TestRunContinuesAfterAStop(t *testing.T) {
	t.Parallel()
	pool := filled(t, 120)
	i := slices.IndexFunc(app.Sealed(), func(c secret.Column) bool { return c.Table == "compliance_image" })
	pictures, ring := app.Sealed()[i], secret.NewRing(newer, older)
	ctx, stop := context.WithCancel(t.Context())
	if _, err := resealing.Run(ctx, pool, ring, pictures, func(resealing.Result) { stop() }); !errors.Is(err, context.Canceled) {
		t.Fatalf("Run with a cancelled context: %v", err)
	}
	if got := opened(t, pool, secret.NewRing(newer), pictures); got != 50 {
		t.Errorf("%d rows are resealed after the stop", got)
	}
	if got := opened(t, pool, ring, pictures); got != 120 {
		t.Errorf("%d rows open after the stop", got)
	}
	got, err := resealing.Run(t.Context(), pool, ring, pictures, nil)
	if err != nil || got.Rows != 120 || got.Renewed != 70 {
		t.Errorf("Run continued with %+v, %v", got, err)
	}
	if got := opened(t, pool, secret.NewRing(newer), pictures); got != 120 {
		t.Errorf("%d rows are resealed in the end", got)
	}
}

func TestALostSecretIsReportedForEachRow(t *testing.T) {
	t.Parallel()
	pool := filled(t, 2)
	for _, c := range app.Sealed() {
		name, rows := c.Table+"."+c.Name, rowsOf(t, pool, c)
		got, err := resealing.Run(t.Context(), pool, secret.NewRing(newer), c, nil)
		if err != nil || got.Renewed != 0 || len(got.Lost) != len(rows) || c.Lost == "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if opens, err := resealing.Opens(t.Context(), pool, secret.NewRing(newer), c); opens || err != nil {
			t.Errorf("%s opens without the older secret: %v", name, err)
		}
		if opens, err := resealing.Opens(t.Context(), pool, secret.NewRing(newer, older), c); !opens || err != nil {
			t.Errorf("%s does not open with the older secret: %v", name, err)
		}
		if opened(t, pool, secret.NewRing(older), c) != len(rows) {
			t.Errorf("%s was changed", name)
		}
	}
}
