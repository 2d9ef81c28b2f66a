package main

import (
	"encoding/json"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/retention"
)

func TestRetentionFromTheCommandLine(t *testing.T) {
	t.Parallel()
	database := dbtest.URL(t)
	d := shell{t, outside(t, database, "FORECOURT_DEMO", "off")}
	command := func(want int, args ...string) string { return d.does(want, append([]string{"retention"}, args...)...) }
	conn := connect(t, database)
	dbtest.Exec(t, conn, `WITH a AS (INSERT INTO account (id, email, password_hash) VALUES (md5('a')::uuid, 'a@example.com', ''))
		INSERT INTO form (account_id, kind, data, updated_at) VALUES (md5('a')::uuid, 'wptest', '{}', now() - interval '40 days')`)
	deleted := func(args ...string) int64 {
		t.Helper()
		var results []retention.Result
		if err := json.Unmarshal([]byte(command(0, append(args, "--json")...)), &results); err != nil || results[0].Kind != "drafts" {
			t.Fatalf("%+v, %v", results, err)
		}
		return results[0].Deleted
	}
	check.Equal(t, deleted(), 0, "the default deleted … drafts of 40 days")
	if said := command(0, "--dry-run", "--drafts", "39"); !strings.Contains(said, "drafts      39 days   1      0") ||
		!strings.Contains(said, "Nothing was deleted") {
		t.Errorf("a dry run says %s", said)
	}
	check.Equal(t, deleted("--drafts", "39"), 1, "it deleted")
	check.Contains(t, command(0, "--help"), "-dry-run", "the help says")
	command(2, "--audit", "11")
	command(2, "--drafts", "-1")
	command(2, "now")
}
