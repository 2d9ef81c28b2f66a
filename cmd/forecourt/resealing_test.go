package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/dbtest"
	"forecourt/internal/secret"
)

// TestASecretIsReplaced seals a key with one secret and replaces the secret with the command.
func TestASecretIsReplaced(t *testing.T) {
	t.Parallel()
	old, fresh := strings.Repeat("o", 32), strings.Repeat("f", 32)
	database := dbtest.URL(t)
	pool, err := db.Open(t.Context(), database, 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	// The demo's keys are sealed with a secret that is too short for the settings.
	dbtest.Exec(t, pool, "UPDATE client_account SET pwd_sealed = NULL")
	ann := uuid.New()
	dbtest.Exec(t, pool, "INSERT INTO account (id, email, name, password_hash) VALUES ($1, 'ann@example.com', '', '')", ann)
	box := func(ring secret.Ring) *secret.Box {
		t.Helper()
		box, err := ring.Box("one-time codes")
		if err != nil {
			t.Fatal(err)
		}
		return box
	}
	place := "one-time codes " + ann.String()
	dbtest.Exec(t, pool, "INSERT INTO totp (account_id, sealed, setup_by) VALUES ($1, $2, $1)", ann, box(secret.NewRing(old)).Seal([]byte("kept"), place))
	rotate := func(previous string) (int, string) {
		t.Helper()
		var out bytes.Buffer
		code := run(t.Context(), []string{"secret", "rotate"}, from(map[string]string{
			"DATABASE_URL": database, "FORECOURT_SECRET": fresh, "FORECOURT_SECRET_PREVIOUS": previous, "FORECOURT_DATA": folder(t), "FORECOURT_DEMO": "off",
		}), &out, &out)
		return code, out.String()
	}
	code, said := rotate("")
	if code != 1 || !strings.Contains(said, "totp.sealed: no secret opens the row "+ann.String()) || !strings.Contains(said, "forecourt user two-step EMAIL --off") ||
		!strings.Contains(said, "keep FORECOURT_SECRET_PREVIOUS") || strings.Contains(said, "remove it") {
		t.Errorf("without the old secret: %d\n%s", code, said)
	}
	code, said = rotate(old)
	if code != 0 || !strings.Contains(said, "totp.sealed: 1 of 1 rows sealed anew") || !strings.Contains(said, "Keep FORECOURT_SECRET_PREVIOUS for an hour") {
		t.Errorf("with both secrets: %d\n%s", code, said)
	}
	sealed := dbtest.Value[[]byte](t, pool, "SELECT sealed FROM totp")
	if text, err := box(secret.NewRing(fresh)).Open(sealed, place); err != nil || string(text) != "kept" {
		t.Errorf("with the new secret alone: %q, %v", text, err)
	}
	if n := 0; pool.QueryRow(t.Context(), "SELECT count(*) FROM receipt_key").Scan(&n) != nil || n != 1 {
		t.Errorf("%d earlier public keys are kept", n)
	}
	code, said = rotate("")
	if code != 0 || !strings.Contains(said, "totp.sealed: 0 of 1 rows sealed anew") || !strings.Contains(said, "Everything is sealed with FORECOURT_SECRET.") {
		t.Errorf("afterwards: %d\n%s", code, said)
	}
}

func TestPreviousSecretsAreChecked(t *testing.T) {
	t.Parallel()
	present := strings.Repeat("p", 32)
	for previous, want := range map[string]string{
		"short":                                 "each needs 32 bytes or more",
		present:                                 "it holds the secret that is in use",
		strings.Repeat("o", 32) + " " + "short": "each needs 32 bytes or more",
		strings.Repeat("o", 32) + "\n" + strings.Repeat("o", 32): "it holds the same secret twice",
	} {
		var stderr bytes.Buffer
		code := run(t.Context(), []string{"serve"}, from(map[string]string{
			"DATABASE_URL": "postgres://127.0.0.1:1/x", "FORECOURT_SECRET": present, "FORECOURT_SECRET_PREVIOUS": previous,
		}), &stderr, &stderr)
		if code != 2 || !strings.Contains(stderr.String(), "FORECOURT_SECRET_PREVIOUS") || !strings.Contains(stderr.String(), want) || strings.Contains(stderr.String(), present) {
			t.Errorf("%q: %d %s", previous, code, stderr.String())
		}
	}
}
