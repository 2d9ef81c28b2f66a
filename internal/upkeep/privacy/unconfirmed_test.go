package privacy_test

import (
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// Anybody can sign up with somebody else's address; the letters and invitations to it belong to its owner.
func TestAnUnconfirmedAddressGivesNoAccessToItsLetters(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := member(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE account SET verified_at = NULL WHERE id = $1", id)
	dbtest.Exec(t, app.Pool, "INSERT INTO invite (doc_id, shop_code, email, secret_key_hash, expires_at) VALUES ('ann-s-token', 'panezski', $1, 'h', now() + interval '1 day')", ann)
	all := unzip(t, app, id)
	for name := range all {
		if name == "mail.json" || strings.HasPrefix(name, "done-by-you/") {
			t.Errorf("the copy contains %s", name)
		}
	}
	if !strings.Contains(all["README.txt"], "The address is not confirmed") || !strings.Contains(all["account.json"], "Ann Lee") {
		t.Errorf("the README of the copy is %s", all["README.txt"])
	}
	check.Must(t, app.Privacy.EraseAccount(t.Context(), id))
	for query, want := range map[string]int{
		"SELECT count(*) FROM mail WHERE recipient = $1":                      1,
		"SELECT count(*) FROM mail WHERE plain = $1 || ' invites you'":        1,
		"SELECT count(*) FROM river_job WHERE args -> 'data' ->> 'to' = $1":   2, // one is the last letter
		"SELECT count(*) FROM shop_invite WHERE email = $1":                   1,
		"SELECT count(*) FROM invite WHERE email = $1 AND revoked_at IS NULL": 1,
		"SELECT count(*) FROM account WHERE email = $1":                       0,
		"SELECT count(*) FROM menu_draft WHERE changed_by = $1":               0,
	} {
		check.Equal(t, dbtest.Value[int](t, app.Pool, query, ann), want, "%s", query)
	}
}

// What others wrote about the address may refer to its real owner.
func TestErasingAnUnconfirmedAccountChangesOnlyItsOwnLines(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := member(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE account SET verified_at = NULL WHERE id = $1", id)
	dbtest.Exec(t, app.Pool, `INSERT INTO audit (actor, action, subject, reason) VALUES ('bob@example.com', 'member invited', 'shop moollar', $1 || ', viewer'),
		('bob@example.com', 'member removed', $1, 'gone'), ('operator', 'erasure ordered', 'account ' || $2::text, 'asked by ' || $1)`, ann, id)
	dbtest.Exec(t, app.Pool, "INSERT INTO go_live (shop_code, state, asked_by, note) VALUES ('moollar', 'approved', 'bob@example.com', 'call ' || $1)", ann)
	check.Must(t, app.Privacy.EraseAccount(t.Context(), id))
	gone := "erased-" + id.String()[24:]
	for query, want := range map[string]string{
		"SELECT reason FROM audit WHERE action = 'member invited'":                                ann + ", viewer",
		"SELECT subject FROM audit WHERE action = 'member removed'":                               ann,
		"SELECT reason FROM audit WHERE action = 'erasure ordered'":                               "asked by " + gone,
		"SELECT actor || ' ' || reason FROM audit WHERE action = 'team invited'":                  gone + " for " + gone + " and joann@example.com of ann@example.com.au",
		"SELECT reason FROM audit WHERE action = 'audit erased'":                                  "2 lines",
		"SELECT note FROM go_live WHERE shop_code = 'moollar'":                                    "call " + ann,
		"SELECT asked_by || ' ' || note FROM go_live WHERE shop_code = 'sabona'":                  gone + " call " + gone,
		"SELECT count(*)::text FROM audit WHERE actor = 'ann@example.com' AND action <> 'member'": "0",
	} {
		check.Equal(t, dbtest.Value[string](t, app.Pool, query), want, "%s", query)
	}
}
