package site_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"forecourt/handlers/site"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/site/frontpage"
)

func TestTheStoredNavigation(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	dbtest.Exec(t, pool, `
		DELETE FROM site_nav; DELETE FROM site_slide;
		INSERT INTO site_nav (id, name, old_site, position) VALUES ('b', 'Second', '', 2), ('a', 'First', '/docs', 1);
		INSERT INTO site_slide (title, sub_title, position) VALUES ('Two', '', 2), ('One', 'Small', 1);`)
	documents := site.NewNav(pool, slog.New(slog.DiscardHandler))
	got := documents.Current(t.Context())
	t.Run("entries and slides are read in their order (DOC-01)", func(t *testing.T) {
		if len(got.Main) != 2 || got.Main[0] != (frontpage.Entry{ID: "a", Name: "First", Url: "/docs", Revision: 1}) || got.Main[1].Url != "" {
			t.Errorf("main %+v", got.Main)
		}
		if len(got.Slides) != 2 || got.Slides[0].Title != "One" || got.Slides[0].SubTitle != "Small" {
			t.Errorf("slides %+v", got.Slides)
		}
	})
	dbtest.Exec(t, pool, "DELETE FROM site_nav")
	kept := documents.Current(t.Context())
	check.Equal(t, len(kept.Main), 2, "a page a moment later reads the tables again: %+v", kept)
}

func TestNavigationWithoutADatabaseIsEmpty(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	dbtest.Exec(t, pool, "ALTER TABLE site_slide RENAME TO elsewhere")
	var log bytes.Buffer
	documents := site.NewNav(pool, slog.New(slog.NewTextHandler(&log, nil)))
	t.Run("a document that cannot be read whole is empty (NAV-10)", func(t *testing.T) {
		for range 3 {
			if got := documents.Current(t.Context()); len(got.Main)+len(got.Slides) > 0 {
				t.Errorf("half a document: %+v", got)
			}
		}
	})
	check.Equal(t, strings.Count(log.String(), "navigation not read"), 1, "logged … times: %s", &log)
}

func TestTheDatabaseTakesOnlyAddresses(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	for address, fits := range map[string]bool{
		"/": true, "/docs": true, "/#contact": true, "https://old.example/x": true, "": true,
		"javascript:alert(1)": false, "//evil.example": false, `/\evil.example`: false, "docs": false, "https://": false,
	} {
		_, err := pool.Exec(t.Context(), "INSERT INTO site_nav (id, name, old_site, position) VALUES (md5(random()::text), 'x', $1, 9)", address)
		if (err == nil) != fits {
			t.Errorf("%q: %v", address, err)
		}
	}
}
