package shortlink_test

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/site/shortlink"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestACodeLeadsToItsTarget(t *testing.T) {
	t.Parallel()
	links := shortlink.New(dbtest.Pool(t), slog.New(slog.DiscardHandler))
	expires := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	code, err := links.Create(t.Context(), "Cake-4_x", "https://shop.example/cake", expires)
	if err != nil || code != "Cake-4_x" {
		t.Fatalf("%q, %v", code, err)
	}
	t.Run("a code is stored with its end (SHORT-03 DOC-03)", func(t *testing.T) {
		if kept := list(t, links)[code]; kept.Code != code || kept.ExpiresAt == nil || !kept.ExpiresAt.Equal(expires) {
			t.Errorf("stored %q and %v, want %v", kept.Code, kept.ExpiresAt, expires)
		}
	})
	t.Run("a code leads to its target (SHORT-01)", func(t *testing.T) {
		if target, err := links.Target(t.Context(), code); err != nil || target != "https://shop.example/cake" {
			t.Errorf("the code leads to %q, %v", target, err)
		}
	})
	if target, err := links.Target(t.Context(), "demo"); err != nil || target != "/pos/panezski" {
		t.Errorf("the demo's code leads to %q, %v", target, err)
	}
}

func TestALinkWorksUntilItExpires(t *testing.T) {
	t.Parallel()
	tx, err := dbtest.Pool(t).Begin(t.Context())
	check.Must(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	links := shortlink.New(tx, slog.New(slog.DiscardHandler))
	// now() is constant within a transaction, so a link can be followed at the very time it expires.
	for _, tt := range []struct {
		name, expires string
		want          error
	}{
		{"later (SHORT-02)", "now() + interval '1 microsecond'", nil},
		{"now (SHORT-02)", "now()", nil},
		{"earlier (SHORT-02)", "now() - interval '1 microsecond'", shortlink.ErrExpired},
		{"never", "NULL", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dbtest.Exec(t, tx, "UPDATE shortlink SET expires_at = "+tt.expires+" WHERE code = 'demo'")
			if _, err := links.Target(t.Context(), "demo"); !errors.Is(err, tt.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestExpire(t *testing.T) {
	t.Parallel()
	links := shortlink.New(dbtest.Pool(t), slog.New(slog.DiscardHandler))
	check.Must(t, links.Expire(t.Context(), "demo"))
	_, err := links.Follow(t.Context(), "demo")
	check.ErrorIs(t, err, shortlink.ErrExpired, "following the expired link")
	ended := list(t, links)["demo"]
	if err := links.Expire(t.Context(), "demo"); err != nil || !list(t, links)["demo"].ExpiresAt.Equal(*ended.ExpiresAt) || !ended.Expired {
		t.Errorf("expiring it twice: %v", err)
	}
	for _, code := range []string{"nothing", "a\x00"} {
		check.ErrorIs(t, links.Expire(t.Context(), code), shortlink.ErrUnknown, "%q", code)
	}
}

func TestCreateRefusals(t *testing.T) {
	t.Parallel()
	links := shortlink.New(dbtest.Pool(t), slog.New(slog.DiscardHandler))
	before := len(list(t, links))
	for _, tt := range []struct {
		name, code, target string
		expires            time.Time
		want               error
	}{
		{"a code with a slash", "a/b", "https://shop.example", time.Time{}, shortlink.ErrCode},
		{"a code of another script", "кот", "https://shop.example", time.Time{}, shortlink.ErrCode},
		{"a taken code", "demo", "https://shop.example", time.Time{}, shortlink.ErrTaken},
		{"a script as target", "a", "javascript:alert(1)", time.Time{}, shortlink.ErrTarget},
		{"an expiry in the past", "a", "https://shop.example", time.Now(), shortlink.ErrExpiry},
	} {
		_, err := links.Create(t.Context(), tt.code, tt.target, tt.expires)
		check.ErrorIs(t, err, tt.want, "%s", tt.name)
	}
	after := len(list(t, links))
	check.Equal(t, after, before, "%d links were made", after-before)
}

func TestRandomCodesDiffer(t *testing.T) {
	t.Parallel()
	links := shortlink.New(dbtest.Pool(t), slog.New(slog.DiscardHandler))
	seen := map[string]bool{}
	for range 20 {
		code, err := links.Create(t.Context(), "", "https://shop.example", time.Time{})
		if err != nil || len(code) != 8 || seen[code] {
			t.Errorf("%q, %v", code, err)
		}
		seen[code] = true
	}
}

func list(t *testing.T, links *shortlink.Links) map[string]db.ShortlinkListRow {
	t.Helper()
	rows, err := links.List(t.Context())
	check.Must(t, err)
	byCode := map[string]db.ShortlinkListRow{}
	for _, row := range rows {
		byCode[row.Code] = row
	}
	return byCode
}
