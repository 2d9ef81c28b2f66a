package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
	"forecourt/internal/retention"
)

func TestRetentionFromTheCommandLine(t *testing.T) {
	t.Parallel()
	values := map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": dataFolder(t), "FORECOURT_DEMO": "off"}
	start(t, values, "serve").ready()
	command := func(want int, args ...string) string {
		t.Helper()
		var out strings.Builder
		if code := run(t.Context(), append([]string{"retention"}, args...), from(values), &out, &out); code != want {
			t.Fatalf("retention %v: exit code %d, want %d: %s", args, code, want, &out)
		}
		return out.String()
	}
	dsn, err := embedded.Attach(values["FORECOURT_DATA"], embedded.Database)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Exec(t.Context(), `WITH a AS (INSERT INTO account (id, email, password_hash) VALUES (md5('a')::uuid, 'a@example.com', ''))
		INSERT INTO form (account_id, kind, data, updated_at) VALUES (md5('a')::uuid, 'wptest', '{}', now() - interval '40 days')`)
	if err := errors.Join(err, conn.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	deleted := func(args ...string) int64 {
		t.Helper()
		var results []retention.Result
		if err := json.Unmarshal([]byte(command(0, append(args, "--json")...)), &results); err != nil || results[0].Kind != "drafts" {
			t.Fatalf("%+v, %v", results, err)
		}
		return results[0].Deleted
	}
	if n := deleted(); n != 0 {
		t.Errorf("the default deleted %d drafts of 40 days", n)
	}
	if said := command(0, "--dry-run", "--drafts", "39"); !strings.Contains(said, "drafts      39 days   1      0") ||
		!strings.Contains(said, "Nothing was deleted") {
		t.Errorf("a dry run says %s", said)
	}
	if n := deleted("--drafts", "39"); n != 1 {
		t.Errorf("it deleted %d", n)
	}
	if said := command(0, "--help"); !strings.Contains(said, "-dry-run") {
		t.Errorf("the help says %s", said)
	}
	command(2, "--audit", "11")
	command(2, "--drafts", "-1")
	command(2, "now")
}
