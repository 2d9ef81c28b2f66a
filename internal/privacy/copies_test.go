package privacy_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/privacy"
)

// files unpacks a ZIP.
func files(t *testing.T, content []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range r.File {
		part, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(text)
	}
	return all
}

func TestACopyHoldsThePersonsDataAndNothingOfOthers(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	id := member(t, app)
	for _, statement := range []string{
		"INSERT INTO recovery_code (account_id, code_hash) SELECT $1, decode(repeat('5e', 32), 'hex')",
		"INSERT INTO session (id_hash, handle, account_id, address, agent) SELECT decode(repeat('5e', 32), 'hex'), gen_random_uuid(), $1, '198.51.100.7', 'Firefox'",
		"INSERT INTO compliance (id, name) SELECT r, 'Acme' FROM unnest(ARRAY['mine', 'shared']) r WHERE $1::uuid IS NOT NULL",
		"INSERT INTO compliance_admin SELECT r, $1 FROM unnest(ARRAY['mine', 'shared']) r",
		"INSERT INTO compliance_admin SELECT 'shared', id FROM account WHERE id <> $1 LIMIT 1",
		"INSERT INTO form (account_id, kind, data) SELECT id, 'ddtest', '{\"name\": \"Others Ltd\"}' FROM account WHERE id <> $1 LIMIT 1",
	} {
		exec(t, app.Pool, statement, id)
	}
	if err := app.Privacy.AskCopy(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := app.Privacy.AskCopy(t.Context(), id); !errors.Is(err, privacy.ErrCopies) {
		t.Errorf("asking for a second copy at once: %v", err)
	}
	var copies []privacy.Copy
	apptest.Eventually(t, "the copy", func() bool {
		var err error
		copies, err = app.Privacy.Copies(t.Context(), id)
		return err == nil && len(copies) == 1 && copies[0].Ready
	})
	if copies[0].Done != copies[0].Steps || copies[0].Steps < 20 {
		t.Errorf("the copy finished %d of %d steps", copies[0].Done, copies[0].Steps)
	}
	other := one[uuid.UUID](t, app.Pool, "SELECT id FROM account WHERE id <> $1 LIMIT 1", id)
	if _, err := app.Privacy.Open(t.Context(), other, copies[0].ID); !errors.Is(err, privacy.ErrNoCopy) {
		t.Errorf("opening the copy of somebody else: %v", err)
	}
	found, err := app.Privacy.Open(t.Context(), id, copies[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	if n, err := found.WriteTo(&content); err != nil || n != found.Bytes || n != int64(content.Len()) {
		t.Errorf("wrote %d of %d bytes, %v", n, found.Bytes, err)
	}
	all := files(t, content.Bytes())
	for name, has := range map[string][]string{
		"README.txt": {"ann@example.com", "Never in a copy"}, "account.json": {"Ann Lee", ann}, "session.json": {"198.51.100.7", "Firefox"}, "account_event.json": {"signed in"},
		"client_admin.json": {"panezski", "owner"}, "form.json": {ann, "Acme", "A-2222-22"}, "onboarding.json": {"Ann"}, "shop_invite.json": {"b•••@e•••.com"},
		"done-by-you/audit.json": {"team invited", "shop panezski"}, "done-by-you/go_live.json": {"sabona"}, "letters.json": {`"subject"`}, "identity/mine.json": {"Acme"},
	} {
		for _, text := range has {
			if !strings.Contains(all[name], text) {
				t.Errorf("%s lacks %q: %s (files: %q)", name, text, all[name], slices.Sorted(maps.Keys(all)))
			}
		}
	}
	for name, text := range all {
		for _, secret := range []string{"5e5e5e5e", "argon2", "bob@example.com", "staff@forecourt.test", "joann@example.com", "Others Ltd"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s contains %s: %s", name, secret, text)
			}
		}
	}
	if sealed := one[string](t, app.Pool, "SELECT encode(sealed, 'escape') FROM data_copy_part LIMIT 1"); strings.HasPrefix(sealed, "PK") {
		t.Error("the stored copy is not encrypted")
	}
	exec(t, app.Pool, "UPDATE data_copy SET expires_at = now()")
	if _, err := app.Privacy.Open(t.Context(), id, copies[0].ID); !errors.Is(err, privacy.ErrNoCopy) {
		t.Errorf("opening the expired copy: %v", err)
	}
	if err := app.Privacy.EraseDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := one[int](t, app.Pool, "SELECT count(*) FROM data_copy_part"); n != 0 {
		t.Errorf("%d parts are left", n)
	}
}

func TestAnInterruptedCopyIsRestarted(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := member(t, app)
	exec(t, app.Pool, "INSERT INTO account_event (account_id, kind, agent) SELECT $1, 'x', md5(n || 'a') || md5(n || 'b') || md5(n || 'c') FROM generate_series(1, 9000) n", id)
	if err := app.Privacy.AskCopy(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	asked := one[uuid.UUID](t, app.Pool, "SELECT id FROM data_copy")
	// A killed process leaves parts from its try.
	exec(t, app.Pool, "UPDATE data_copy SET try = 1")
	exec(t, app.Pool, "INSERT INTO data_copy_part (copy_id, try, n, sealed) VALUES ($1, 1, 0, 'half')", asked)
	if _, err := app.Privacy.Open(t.Context(), id, asked); !errors.Is(err, privacy.ErrNoCopy) {
		t.Errorf("opening the unfinished copy: %v", err)
	}
	for range 2 {
		if err := app.Privacy.Make(t.Context(), asked); err != nil {
			t.Fatal(err)
		}
	}
	found, err := app.Privacy.Open(t.Context(), id, asked)
	if err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	if _, err := found.WriteTo(&content); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(files(t, content.Bytes())["account_event.json"], "\n"); lines < 9000 {
		t.Errorf("the copy has %d lines, want at least 9,000", lines)
	}
	if tries := one[string](t, app.Pool, "SELECT count(DISTINCT try) || ' ' || (max(n) > 0) FROM data_copy_part"); tries != "1 true" {
		t.Errorf("tries with parts, and whether one has several: %s", tries)
	}
	if n := one[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE args ->> 'letter' = $1", privacy.LetterReady); n != 1 {
		t.Errorf("%d letters, want 1", n)
	}
	// An account that is erased in between has no copy.
	exec(t, app.Pool, "UPDATE data_copy SET ready_at = NULL")
	if err := errors.Join(app.Privacy.EraseAccount(t.Context(), id), app.Privacy.Make(t.Context(), asked)); err != nil {
		t.Error(err)
	}
	if n := one[int](t, app.Pool, "SELECT count(*) FROM data_copy"); n != 0 {
		t.Errorf("%d copies of an erased account", n)
	}
}
