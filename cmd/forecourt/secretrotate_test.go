package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
)

// TestASecretIsReplaced seals a key with one secret and replaces the secret with the command.
func TestASecretIsReplaced(t *testing.T) {
	t.Parallel()
	old, fresh := strings.Repeat("o", 32), strings.Repeat("f", 32)
	database, ann := dbtest.URL(t), uuid.New()
	pool, err := db.Open(t.Context(), database, 2)
	check.Must(t, err)
	t.Cleanup(pool.Close)
	for statement, args := range map[string][]any{
		"WITH a AS (INSERT INTO account (id, email, name, password_hash) VALUES ($1, 'ann@example.com', '', '') RETURNING id) " +
			"INSERT INTO totp (account_id, sealed, setup_by) SELECT id, $2, id FROM a": {
			ann, boxOf(old).Seal([]byte("kept"), "one-time codes "+ann.String()),
		},
	} {
		_, err := pool.Exec(t.Context(), statement, args...)
		check.Must(t, err)
	}
	file := filepath.Join(t.TempDir(), "old")
	check.Must(t, os.WriteFile(file, []byte(old+"\n"), 0o600))
	does := func(want int, present string, args ...string) string {
		t.Helper()
		return shell{t, outside(t, database, "FORECOURT_SECRET", present, "FORECOURT_DEMO", "off")}.does(want, args...)
	}
	// Nobody has stored a fingerprint yet, as before an update.
	if said := does(2, fresh, "migrate"); !strings.Contains(said, "FORECOURT_SECRET: rows of totp.sealed do not open") ||
		!strings.Contains(said, "secret rotate --from FILE") {
		t.Errorf("migrate says %s", said)
	}
	does(0, old, "migrate")
	said := does(2, fresh, "migrate")
	if !strings.Contains(said, "fingerprint "+secret.Fingerprint(old)) ||
		!strings.Contains(said, "FORECOURT_SECRET: ") || strings.Contains(said, fresh) {
		t.Errorf("with a wrong secret: %s", said)
	}
	check.Contains(t, does(1, fresh, "doctor"), "fingerprint "+secret.Fingerprint(old), "doctor says")
	does(2, fresh, "secret", "rotate")
	check.Contains(t, does(0, fresh, "secret", "rotate", "--from", file), "totp.sealed: 1 of 1 rows sealed again", "rotate says")
	does(0, fresh, "secret", "rotate", "--from", file)
	does(0, fresh, "migrate")
	does(2, old, "migrate")
	var sealed []byte
	check.Must(t, pool.QueryRow(t.Context(), "SELECT sealed FROM totp").Scan(&sealed))
	if text, err := boxOf(fresh).Open(sealed, "one-time codes "+ann.String()); err != nil || string(text) != "kept" {
		t.Errorf("with the new secret: %q, %v", text, err)
	}
	if n := 0; pool.QueryRow(t.Context(), "SELECT count(*) FROM receipt_key").Scan(&n) != nil || n != 1 {
		t.Errorf("%d earlier public keys are kept", n)
	}
}

func boxOf(present string) *secret.Box { return secret.NewRing(present).Box("one-time codes") }
