package demo_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/views/demo"
)

var links = regexp.MustCompile(`href="(/[^"]*|#[^"]*)"`)

func TestDocumentsLeadToPagesAndAnchorsThatExist(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	pages := map[string]string{}
	body := func(path string) string {
		if _, ok := pages[path]; !ok {
			got := app.Get(t, path)
			got.Want(t, http.StatusOK, path)
			pages[path] = got.Body
		}
		return pages[path]
	}
	for _, entry := range demo.Documents {
		text := body(entry.URL)
		if strings.Contains(text, "{{") || !strings.Contains(text, `aria-current="page"`) {
			t.Errorf("%s has a placeholder, or does not mark the current page", entry.URL)
		}
		_, main, _ := strings.Cut(text, "<main")
		main, _, _ = strings.Cut(main, "</main>")
		for _, found := range links.FindAllStringSubmatch(main, -1) {
			path, anchor, _ := strings.Cut(found[1], "#")
			if path == "" {
				path = entry.URL
			}
			if target := body(path); anchor != "" && !strings.Contains(target, `id="`+anchor+`"`) {
				t.Errorf("%s links to %s, which does not exist", entry.URL, found[1])
			}
		}
	}
	app.Get(t, "/docs/nothing").Want(t, http.StatusNotFound, "ROUTE-24 an unknown document")
}

func TestSamplesOfOneThingShareTabs(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	got := app.Get(t, "/docs/quick-start").Body
	for _, want := range []string{
		`<label for="tab-sample-1-0">Shell</label>`, `<label for="tab-sample-1-4">Python</label>`, app.URL + "/gateway/YOUR-UUID/pay",
		`printf &#39;%s&#39;`,
	} {
		check.Contains(t, got, want, "the page lacks")
	}
}
