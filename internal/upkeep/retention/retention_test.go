package retention_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/retention"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// list returns the text that a query finds, "" for NULL.
func list(t *testing.T, pool *pgxpool.Pool, query string) string {
	t.Helper()
	return dbtest.Value[string](t, pool, "SELECT coalesce(("+query+"), '')")
}

// people has one person with a picture for each case; a person's index names the record.
var people = []struct {
	name, state, changed, decided string
	alone                         bool // the record has no admin
	days, acceptedDays            bool // whether 90 days delete it, without and with --accepted 30
}{
	{name: "begun long ago", state: "open", changed: "91 days", days: true, acceptedDays: true},
	{name: "begun lately", state: "open", changed: "89 days"},
	{name: "waits for staff since long ago", state: "waiting", changed: "500 days"},
	{name: "waits without an admin", state: "waiting", changed: "91 days", alone: true, days: true, acceptedDays: true},
	{name: "waits since lately without an admin", state: "waiting", changed: "1 day", alone: true},
	{name: "sent back long ago", state: "returned", changed: "500 days", decided: "91 days", days: true, acceptedDays: true},
	{name: "sent back lately", state: "returned", changed: "500 days", decided: "1 day"},
	{name: "sent back by the previous version", state: "returned", changed: "500 days"},
	{name: "accepted long ago", state: "accepted", changed: "500 days", decided: "31 days", acceptedDays: true},
	{name: "accepted lately", state: "accepted", changed: "500 days", decided: "29 days"},
	{name: "accepted by the previous version", state: "accepted", changed: "500 days", alone: true},
}

func makePeople(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	dbtest.Exec(t, pool, "DELETE FROM compliance_image")
	for i, p := range people {
		id := fmt.Sprintf("record-%d", i)
		dbtest.Exec(t, pool, "INSERT INTO compliance (id, name) VALUES ($1, 'Acme')", id)
		dbtest.Exec(t, pool, `INSERT INTO compliance_person (compliance_id, number, required, sealed, state, reason, changed_at, decided_at)
			VALUES ($1, 1, '{licence}', '', $2, 'why', now() - $3::text::interval, now() - nullif($4, '')::interval)`, id, p.state, p.changed, p.decided)
		dbtest.Exec(t, pool, "INSERT INTO compliance_image (compliance_id, number, side, sealed) VALUES ($1, 1, 'front', 'x'), ($1, 1, 'back', 'x')", id)
		if !p.alone {
			dbtest.Exec(t, pool, "INSERT INTO compliance_admin SELECT $1, id FROM account LIMIT 1", id)
		}
	}
}

func TestOnlyUnneededPicturesAreDeleted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limits retention.Limits
		gone   func(i int) bool
	}{
		"by default":         {retention.Limits{Images: 90}, func(i int) bool { return people[i].days }},
		"accepted ones, too": {retention.Limits{Images: 90, Accepted: 30}, func(i int) bool { return people[i].acceptedDays }},
		"accepted ones only": {retention.Limits{Accepted: 30}, func(i int) bool { return people[i].acceptedDays && !people[i].days }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := dbtest.Pool(t)
			makePeople(t, pool)
			results, err := retention.Run(t.Context(), pool, retention.Order{Limits: c.limits, By: "tester"})
			check.Must(t, err)
			left := list(t, pool, "SELECT string_agg(DISTINCT compliance_id, ' ') FROM compliance_image")
			for i, p := range people {
				check.Equal(t, !slices.Contains(strings.Fields(left), fmt.Sprintf("record-%d", i)), c.gone(i), "%s: deleted", p.name)
				if c.gone(i) {
					results[0].Deleted -= 2
					subject := fmt.Sprintf("compliance record-%d/1", i)
					check.Equal(t, list(t, pool, "SELECT string_agg(actor || ' ' || action, ',') FROM audit WHERE subject = '"+subject+"'"), "tester licence pictures deleted",
						"%s: the history", p.name)
				}
			}
			if results[0].Kind != "images" || results[0].Deleted != 0 {
				t.Errorf("the result counts %+v more than were deleted", results[0])
			}
		})
	}
}

func makeOld(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	dbtest.Exec(t, pool, `INSERT INTO account (id, email, password_hash) SELECT md5(n::text)::uuid, n || '@example.com', '' FROM generate_series(1, 1300) n`)
	dbtest.Exec(t, pool, "DELETE FROM session")
	dbtest.Exec(t, pool, `INSERT INTO form (account_id, kind, data, updated_at) SELECT md5(n::text)::uuid, 'wptest', '{}', now() - interval '200 days' FROM generate_series(1, 1200) n`)
	dbtest.Exec(t, pool, `INSERT INTO form (account_id, kind, data, state, reference, submitted_at, decided_at, handed_in, updated_at)
		SELECT md5(n::text)::uuid, 'ddtest', '{}', CASE n WHEN 1 THEN 'submitted' ELSE 'returned' END, 'D-222' || n + 1 || '-22', now(),
			CASE n WHEN 1 THEN NULL ELSE now() END, 1, now() - interval '2000 days' FROM generate_series(1, 2) n`)
	dbtest.Exec(t, pool, `INSERT INTO form (account_id, kind, data, updated_at) VALUES (md5('1300')::uuid, 'wptest', '{}', now() - interval '179 days')`)
	dbtest.Exec(t, pool, `INSERT INTO onboarding (account_id, updated_at) VALUES (md5('1')::uuid, now() - interval '200 days'), (md5('2')::uuid, now())`)
	dbtest.Exec(t, pool, `INSERT INTO session (id_hash, handle, account_id, seen_at)
		VALUES ('a', md5('a')::uuid, md5('1')::uuid, now() - interval '25 hours'), ('b', md5('b')::uuid, md5('1')::uuid, now() - interval '23 hours')`)
	dbtest.Exec(t, pool, `INSERT INTO audit (created_at, actor, action, subject) VALUES (now() - interval '15 months', 'ann', 'a', ''), (now() - interval '11 months', 'ann', 'b', '')`)
}

func TestOnlyOldRowsAreDeleted(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	makeOld(t, pool)
	run := func(dry bool) string {
		t.Helper()
		results, err := retention.Run(t.Context(), pool, retention.Order{
			Limits: retention.Limits{Drafts: 180, Images: 90, Audit: 13}, DryRun: dry, By: "tester",
		})
		check.Must(t, err)
		var text strings.Builder
		for _, r := range results {
			fmt.Fprintf(&text, "%s %d/%d ", r.Kind, r.Deleted, r.Found)
		}
		return text.String()
	}
	check.Equal(t, run(true), "drafts 0/1200 onboarding 0/1 images 0/0 sessions 0/1 audit 0/1 ", "a dry run reports")
	check.Equal(t, list(t, pool, "SELECT string_agg(action, ' ') FROM audit WHERE actor = 'tester'"), "", "a dry run left … in the audit log")
	check.Equal(t, run(false), "drafts 1200/1200 onboarding 1/1 images 0/0 sessions 1/1 audit 1/1 ", "a run reports")
	check.Equal(t, run(false), "drafts 0/0 onboarding 0/0 images 0/0 sessions 0/0 audit 0/0 ", "a second run reports")
	for query, want := range map[string]string{
		"SELECT string_agg(kind || ' ' || state, ', ' ORDER BY state) FROM form": "wptest draft, ddtest returned, ddtest submitted",
		"SELECT count(*)::text FROM onboarding":                                  "1",
		"SELECT encode(id_hash, 'escape') FROM session":                          "b",
		"SELECT string_agg(action, ' ') FROM audit WHERE actor = 'ann'":          "b",
		"SELECT string_agg(subject || ': ' || reason, '; ' ORDER BY id) FROM audit WHERE actor = 'tester'": "drafts: 500 deleted, kept for 180 days; drafts: 500 deleted, kept for 180 days; " +
			"drafts: 200 deleted, kept for 180 days; onboarding: 1 deleted, kept for 180 days; sessions: 1 deleted, kept for 1 day; audit: 1 deleted, kept for 13 months",
	} {
		check.Equal(t, list(t, pool, query), want, "%s", query)
	}
}

func TestOldMenuVersionsAreDeleted(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	dbtest.Exec(t, pool, "DELETE FROM menu_version")
	// Version n of 30 was published 400-n days ago, so 29 of them were replaced more than 365 days ago.
	dbtest.Exec(t, pool, `INSERT INTO menu_version (shop_code, no, body, made_by, published_at)
		SELECT 'panezski', n, '{}', '', now() - interval '400 days' + n * interval '1 day' FROM generate_series(1, 30) n`)
	// The third version is old and has 20 after it, but was replaced 364 days ago.
	dbtest.Exec(t, pool, `INSERT INTO menu_version (shop_code, no, body, made_by, published_at)
		SELECT 'moollar', n, '{}', '', now() - CASE WHEN n < 4 THEN interval '900 days' - n * interval '1 day' ELSE interval '364 days' - n * interval '1 hour' END FROM generate_series(1, 23) n`)
	for range 2 {
		_, err := retention.Run(t.Context(), pool, retention.Order{Limits: retention.Limits{Menus: 365}, By: "tester"})
		check.Must(t, err)
		const left = "SELECT string_agg(shop_code || ' ' || least || '-' || most || ' ' || n, ', ' ORDER BY shop_code) FROM (" +
			"SELECT shop_code, min(no) AS least, max(no) AS most, count(*) AS n FROM menu_version GROUP BY 1) x"
		check.Equal(t, list(t, pool, left), "moollar 3-23 21, panezski 11-30 20", "the versions left")
	}
	check.Equal(t, list(t, pool, "SELECT string_agg(subject || ': ' || reason, '; ' ORDER BY id) FROM audit WHERE actor = 'tester'"), "menus: 12 deleted, kept for 365 days",
		"the audit log")
}

func TestADraftBeingSavedIsNotDeleted(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	makeOld(t, pool)
	tx, err := pool.Begin(t.Context())
	check.Must(t, err)
	dbtest.Exec(t, tx, "UPDATE form SET updated_at = now() WHERE account_id = md5('7')::uuid")
	results, err := retention.Run(t.Context(), pool, retention.Order{Limits: retention.Limits{Drafts: 180}})
	if err != nil || results[0].Deleted != 1199 {
		t.Errorf("while the draft is being saved: %+v, %v", results, err)
	}
	check.Must(t, tx.Commit(t.Context()))
	check.Equal(t, list(t, pool, "SELECT count(*)::text FROM form WHERE account_id = md5('7')::uuid"), "1", "drafts of the account are left")
}

func TestLimitsThatDeleteTooMuchAreRefused(t *testing.T) {
	t.Parallel()
	for _, l := range []retention.Limits{{Drafts: -1}, {Images: -1}, {Accepted: -1}, {Audit: 11}, {Audit: -1}, {Menus: 364}, {Menus: -1}, {Drafts: 1 << 40}} {
		if _, err := retention.Run(t.Context(), nil, retention.Order{Limits: l}); !errors.Is(err, retention.ErrLimits) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}
