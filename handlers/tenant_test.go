package handlers_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/must"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/upkeep/demo"
)

// owned lists the routes to things that belong to somebody, with ID in place of the thing's id. Add new routes of this kind here.
var owned = []struct {
	method, path string
	media        string // media type of a write's body
}{
	{http.MethodGet, "/compliance/ID", ""},
	{http.MethodGet, "/compliance/ID?person=1", ""},
	{http.MethodPost, "/compliance/ID", "application/x-www-form-urlencoded"},
	{http.MethodPost, "/compliance/ID", "multipart/form-data"},
	{http.MethodGet, "/compliance/ID/agreement.pdf", ""},
	{http.MethodGet, "/compliance/ID/1/front", ""},
	{http.MethodGet, "/compliance/ID/1/back", ""},
	{http.MethodGet, "/api/compliance/ID", ""},
	{http.MethodGet, "/pos/ID/kitchen", ""},
	{http.MethodPost, "/pos/ID/kitchen", "application/x-www-form-urlencoded"},
	{http.MethodGet, "/pos/ID/kitchen/events", ""},
}

// ids maps the first word of a path to the id of something that belongs to the demo's admin.
var ids = map[string]string{"compliance": "acme", "api": "acme", "pos": "panezski"}

func TestAnothersIDLooksMissing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	err := app.Compliance.Create(t.Context(), compliance.NewRecord{ID: "acme", Business: "Acme", Admins: []string{demo.Email}, People: []compliance.Asked{
		{Name: "Alex", Required: []compliance.Part{compliance.LicencePart}},
	}})
	must.NoError(t, err)
	stranger := app.NewPerson(t)
	stranger.SignUp(t, "stranger@example.com")
	for _, route := range owned {
		ask := func(id string) apptest.Answer {
			header := http.Header{"Sec-Fetch-Site": {"same-origin"}}
			if route.media == "" {
				return stranger.Do(t, route.method, strings.ReplaceAll(route.path, "ID", id), nil, header)
			}
			body, media := strings.NewReader("{}"), route.media
			if media == "multipart/form-data" {
				var form bytes.Buffer
				parts := multipart.NewWriter(&form)
				_ = parts.WriteField("person", "1")
				_ = parts.Close()
				body, media = strings.NewReader(form.String()), parts.FormDataContentType()
			}
			header.Set("Content-Type", media)
			return stranger.Do(t, route.method, strings.ReplaceAll(route.path, "ID", id), body, header)
		}
		first, _, _ := strings.Cut(route.path[1:], "/")
		own := ids[first]
		foreign, none := ask(own), ask("nobody")
		if foreign.Status != http.StatusNotFound || none.Status != http.StatusNotFound || foreign.Anonymous() != none.Anonymous() {
			t.Errorf("%s %s: somebody else's %d, missing %d, the same: %t", route.method, route.path, foreign.Status, none.Status, foreign.Anonymous() == none.Anonymous())
		}
		for name := range foreign.Header {
			if name != "Date" && name != "X-Request-Id" && foreign.Header.Get(name) != none.Header.Get(name) {
				t.Errorf("%s %s: header %s differs", route.method, route.path, name)
			}
		}
	}
}
