package privacy_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/people/account"
	"forecourt/internal/upkeep/privacy"
)

const ann = "ann@example.com"

// holding lists the columns of the whole database, as "table.column", that contain a text in any case.
func holding(t *testing.T, pool *pgxpool.Pool, text string) []string {
	t.Helper()
	columns := dbtest.Value[[]string](t, pool, `SELECT array_agg(c.relname || '.' || a.attname ORDER BY c.relname, a.attname)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`)
	return slices.DeleteFunc(columns, func(column string) bool {
		table, _, _ := strings.Cut(column, ".")
		query := fmt.Sprintf("SELECT EXISTS (SELECT FROM %s WHERE position(lower($1) IN lower(%s::text)) > 0)", table, column)
		return !dbtest.Value[bool](t, pool, query, text)
	})
}

// member makes a person's account with some data of every kind and returns its id.
func member(t *testing.T, app *apptest.App) uuid.UUID {
	t.Helper()
	app.SignUp(t, ann)
	id := dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM account WHERE email = $1", ann)
	for _, statement := range []string{
		"UPDATE account SET name = 'Ann Lee', verified_at = now() WHERE id = $1 AND $2 <> ''",
		"INSERT INTO shop_member (shop_code, account_id, role) SELECT 'panezski', $1::uuid, 'owner' WHERE $2::text <> ''",
		"INSERT INTO form (account_id, kind, data) SELECT $1::uuid, 'wptest', jsonb_build_object('email', $2::text)",
		`INSERT INTO form (account_id, kind, data, state, reference, handed_in, submitted_at, decided_at, decided_by)
			SELECT $1::uuid, 'application', '{"name":"Acme"}', 'approved', 'A-2222-22', 1, now(), now(), 'staff@forecourt.test' WHERE $2::text <> ''`,
		"INSERT INTO onboarding (account_id, first_name, answers) SELECT $1::uuid, 'Ann', jsonb_build_object('mail', $2::text)",
		"INSERT INTO audit (actor, action, subject, reason) SELECT $2::text, 'team invited', 'shop panezski', 'for ' || upper($2::text) || ' and joann@example.com of ' || $2::text || '.au' WHERE $1::uuid IS NOT NULL",
		"INSERT INTO go_live (shop_code, state, asked_by, note) SELECT 'sabona', 'approved', $2::text, 'call ' || $2::text WHERE $1::uuid IS NOT NULL",
		"INSERT INTO shop_invite (id, shop_code, email, role, invited_by, expires_at) SELECT gen_random_uuid(), 'panezski', 'bob@example.com', 'viewer', $1::uuid, now() WHERE $2::text <> ''",
		"INSERT INTO shop_invite (id, shop_code, email, role, invited_by, expires_at) SELECT gen_random_uuid(), 'moollar', $2::text, 'viewer', a.id, now() FROM account a WHERE a.id <> $1::uuid LIMIT 1",
		"INSERT INTO mail (id, key, kind, message_id, sender, recipient, subject, plain, html) SELECT gen_random_uuid(), 'a', 'x', 'a', 's', $2::text, 's', 'p', 'h' WHERE $1::uuid IS NOT NULL",
		"INSERT INTO mail (id, key, kind, message_id, sender, recipient, subject, plain, html) SELECT gen_random_uuid(), 'b', 'x', 'b', 's', 'bob@example.com', 's', $2::text || ' invites you', 'h' WHERE $1::uuid IS NOT NULL",
		"INSERT INTO river_job (kind, state, args, max_attempts) SELECT 'mail', 'available', jsonb_build_object('letter', 'x', 'key', 'c', 'data', jsonb_build_object('to', $2::text)), 1 WHERE $1::uuid IS NOT NULL",
		"INSERT INTO river_job (kind, state, args, max_attempts) SELECT 'mail', 'available', jsonb_build_object('letter', 'y', 'reason', E'Customer:\\n' || $2::text), 1 WHERE $1::uuid IS NOT NULL",
		"INSERT INTO river_job (kind, state, args, max_attempts) SELECT 'mail', 'available', jsonb_build_object('letter', 'theirs', 'to', 'jo' || $2::text || '.au'), 1 WHERE $1::uuid IS NOT NULL",
		"UPDATE menu_draft SET changed_by = $2::text WHERE $1::uuid IS NOT NULL",
	} {
		dbtest.Exec(t, app.Pool, statement, id, ann)
	}
	return id
}

func TestAnErasedAccountLeavesOnlyTheBooks(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := member(t, app)
	if before := holding(t, app.Pool, ann); len(before) < 8 {
		t.Fatalf("before the erasure, only %q contain the address", before)
	}
	check.Must(t, app.Privacy.EraseAccount(t.Context(), id))
	left := holding(t, app.Pool, ann)
	// The last letter is still queued; the audit log still names joann@example.com and ann@example.com.au, who are other people.
	check.List(t, left, []string{"audit.reason", "river_job.args"}, "the address is still in")
	for query, want := range map[string]string{
		"SELECT count(*)::text FROM session WHERE account_id = $1":                                                                                       "0",
		"SELECT count(*)::text FROM account_event WHERE account_id = $1":                                                                                 "0",
		"SELECT count(*)::text FROM shop_member WHERE account_id = $1":                                                                                   "0",
		"SELECT count(*)::text FROM shop_invite WHERE invited_by = $1 OR email = 'bob@example.com'":                                                      "0",
		"SELECT string_agg(kind || ' ' || state, ',') FROM form WHERE account_id = $1":                                                                   "application approved",
		"SELECT name || '|' || password_hash || '|' || (erased_at IS NOT NULL) FROM account WHERE id = $1":                                               "||true",
		"SELECT reason FROM audit WHERE action = 'team invited' AND $1::uuid IS NOT NULL":                                                                "for erased-" + id.String()[24:] + " and joann@example.com of ann@example.com.au",
		"SELECT actor FROM audit WHERE action = 'team invited' AND $1::uuid IS NOT NULL":                                                                 "erased-" + id.String()[24:],
		"SELECT string_agg(args ->> 'letter', ',' ORDER BY id) FROM river_job WHERE kind = 'mail' AND args::text LIKE '%ann@%' AND $1::uuid IS NOT NULL": "theirs," + privacy.LetterErased,
		"SELECT string_agg(subject, ',') FROM erasure WHERE $1::uuid IS NOT NULL":                                                                        "account " + id.String(),
	} {
		check.Equal(t, dbtest.Value[string](t, app.Pool, query, id), want, "%s", query)
	}
	check.ErrorIs(t, app.Privacy.EraseAccount(t.Context(), id), privacy.ErrNobody, "erasing it again")
	check.Contains(t, app.Get(t, "/account").Body, `action="/signin"`, "the erased account is still signed in")
	app.SignUp(t, ann) // the address can be used again
}

func TestTheAddressIsErasedAfterTheLastLetter(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignUp(t, ann)
	app.Verify(t, ann) // otherwise the letters to the address are kept
	id := dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM account WHERE email = $1", ann)
	jobsEnd := func() {
		apptest.Eventually(t, "no letter's job is running", func() bool {
			return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE kind = 'mail' AND finalized_at IS NULL") == 0
		})
	}
	jobsEnd() // otherwise a letter being written is stored after the erasure, and deleted with its day
	check.Must(t, app.Privacy.EraseAccount(t.Context(), id))
	apptest.Eventually(t, "the last letter", func() bool {
		return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM mail WHERE kind = $1 AND recipient = $2", privacy.LetterErased, ann) == 1
	})
	jobsEnd()
	dbtest.Exec(t, app.Pool, "UPDATE mail SET sent_at = now()")
	check.Must(t, app.Privacy.EraseDue(t.Context()))
	check.Empty(t, holding(t, app.Pool, ann), "the address is still in")
}

func TestWhatBlocksAnErasure(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change string
		want   []privacy.Held
	}{
		"nothing":                       {"SELECT $1::uuid", nil},
		"staff":                         {"UPDATE account SET staff = true WHERE id = $1", []privacy.Held{{Kind: "staff"}}},
		"the last owner of a live shop": {"WITH x AS (UPDATE shop SET live = true WHERE code = 'panezski') DELETE FROM shop_member WHERE shop_code = 'panezski' AND account_id <> $1", []privacy.Held{{Kind: "owner", What: "Panezski"}}},
		"the last known owner of a live shop": {
			"WITH x AS (UPDATE shop SET live = true WHERE code = 'panezski') INSERT INTO compliance (id, name, shop_code, applicant) VALUES ('rec', 'Acme', 'panezski', $1)",
			[]privacy.Held{{Kind: "known", What: "Panezski"}},
		},
		"the last owner of a team":       {"UPDATE shop_member SET role = 'manager' WHERE shop_code = 'panezski' AND account_id <> $1", []privacy.Held{{Kind: "owner", What: "Panezski"}}},
		"the last member of a test shop": {"DELETE FROM shop_member WHERE shop_code = 'panezski' AND account_id <> $1", nil},
		"receipts of a live shop":        {"UPDATE shop SET live = true, mail = 'Ann@example.com' WHERE code = 'panezski' AND $1::uuid IS NOT NULL", []privacy.Held{{Kind: "mail", What: "Panezski"}}},
		"a form that waits":              {"UPDATE form SET state = 'submitted', decided_at = NULL WHERE kind = 'application' AND account_id = $1", []privacy.Held{{Kind: "form", What: "A-2222-22"}}},
		"going live waits":               {"UPDATE go_live SET state = 'waiting' WHERE asked_by = 'ann@example.com' AND $1::uuid IS NOT NULL", []privacy.Held{{Kind: "golive", What: "Sabona"}}},
		"an account that everybody uses": {"UPDATE account SET demo_open = true WHERE id = $1", []privacy.Held{{Kind: "demo"}}},
		"an identity that waits": {
			"WITH c AS (INSERT INTO compliance (id, name) VALUES ('rec', 'Acme')), p AS (INSERT INTO compliance_person (compliance_id, number, required, sealed, state) VALUES ('rec', 1, '{}', '', 'waiting')) INSERT INTO compliance_admin VALUES ('rec', $1)",
			[]privacy.Held{{Kind: "identity", What: "Acme"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id := member(t, app)
			dbtest.Exec(t, app.Pool, tt.change, id)
			why, err := app.Privacy.HeldBy(t.Context(), id)
			if err != nil || !slices.Equal(why, tt.want) {
				t.Errorf("%+v, %v, want %+v", why, err, tt.want)
			}
			err = app.Privacy.EraseAccount(t.Context(), id)
			var held *privacy.HeldError
			if errors.As(err, &held) != (tt.want != nil) || err != nil && held == nil {
				t.Errorf("EraseAccount: %v", err)
			}
			check.Equal(t, dbtest.Value[bool](t, app.Pool, "SELECT erased_at IS NOT NULL FROM account WHERE id = $1", id), tt.want == nil, "erased")
		})
	}
}

func TestAnErasureWaitsAndCanBeCancelled(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := member(t, app)
	app.NewPerson(t).SignInAs(t, ann)
	me := account.Holder{ID: id, Email: ann, Session: dbtest.Value[uuid.UUID](t, app.Pool, "SELECT handle FROM session WHERE account_id = $1 ORDER BY created_at LIMIT 1", id)}
	check.ErrorIs(t, app.Privacy.AskErasure(t.Context(), me, "bob@example.com"), privacy.ErrTyped, "with another address typed")
	ask := func() {
		t.Helper()
		check.Must(t, app.Privacy.AskErasure(t.Context(), me, "Ann@Example.com"))
	}
	ask()
	ask()
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM session WHERE account_id = $1", id), 1, "sessions are left")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE args ->> 'letter' = $1", privacy.LetterErasing), 1,
		"letters")
	due := func() bool {
		t.Helper()
		check.Must(t, app.Privacy.EraseDue(t.Context()))
		return dbtest.Value[bool](t, app.Pool, "SELECT erased_at IS NOT NULL FROM account WHERE id = $1", id)
	}
	dbtest.Exec(t, app.Pool, "UPDATE erasure_ask SET due_at = due_at - interval '6 days 23 hours'")
	if due() {
		t.Error("the account was erased an hour too early")
	}
	check.Must(t, app.Privacy.KeepAccount(t.Context(), me))
	dbtest.Exec(t, app.Pool, "UPDATE erasure_ask SET due_at = now()")
	if due() {
		t.Error("the account was erased although the erasure was cancelled")
	}
	ask()
	dbtest.Exec(t, app.Pool, "UPDATE account SET staff = true WHERE id = $1", id)
	dbtest.Exec(t, app.Pool, "UPDATE erasure_ask SET due_at = now()")
	if due() {
		t.Error("the account was erased although it is held")
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE args ->> 'letter' = $1", privacy.LetterHeld), 1,
		"letters say that the erasure is held")
	dbtest.Exec(t, app.Pool, "UPDATE account SET staff = false WHERE id = $1", id)
	ask()
	dbtest.Exec(t, app.Pool, "UPDATE erasure_ask SET due_at = now()")
	if !due() {
		t.Error("the account was not erased when due")
	}
}
