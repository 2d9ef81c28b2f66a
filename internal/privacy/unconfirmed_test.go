package privacy_test

import (
	"bytes"
	"strings"
	"testing"

	"forecourt/internal/apptest"
)

// Anybody can sign up with the address of somebody else, whose letters and invitations are none of theirs.
func TestAnAddressThatNobodyConfirmedGivesAndTakesNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := member(t, app)
	exec(t, app.Pool, "UPDATE account SET verified_at = NULL WHERE id = $1", id)
	exec(t, app.Pool, "INSERT INTO invite (doc_id, client_code, email, secret_key_hash, expires_at) VALUES ('ann-s-token', 'panezski', $1, 'h', now() + interval '1 day')", ann)
	var content bytes.Buffer
	if err := app.Privacy.Export(t.Context(), id, &content); err != nil {
		t.Fatal(err)
	}
	all := files(t, content.Bytes())
	for name := range all {
		if name == "letters.json" || strings.HasPrefix(name, "done-by-you/") {
			t.Errorf("the copy has %s", name)
		}
	}
	if !strings.Contains(all["README.txt"], "The address is not confirmed") || !strings.Contains(all["account.json"], "Ann Lee") {
		t.Errorf("the copy says %s", all["README.txt"])
	}
	if err := app.Privacy.EraseAccount(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM mail WHERE recipient = $1":                      1,
		"SELECT count(*) FROM mail WHERE plain = $1 || ' invites you'":        1,
		"SELECT count(*) FROM river_job WHERE args -> 'data' ->> 'to' = $1":   2, // one is the last letter
		"SELECT count(*) FROM shop_invite WHERE email = $1":                   1,
		"SELECT count(*) FROM invite WHERE email = $1 AND revoked_at IS NULL": 1,
		"SELECT count(*) FROM account WHERE email = $1":                       0,
		"SELECT count(*) FROM menu_draft WHERE changed_by = $1":               0,
	} {
		if got := one[int](t, app.Pool, query, ann); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}
