package handlers_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"forecourt/handlers"
	"forecourt/internal/kit/check"
)

// unread says why a route does not answer 413 to a body that is too long.
var unread = map[string]string{
	"POST /account/data/{copy}":               noBody,
	"POST /desk/{client}/menu/preview":        noBody,
	"POST /desk/{client}/payments/{id}/payer": noBody,
	"POST /form/{id}":                         noBody,
	"POST /kitchen/{token}":                   noBody,
	"POST /merchant/admin/{uuid}/secret":      noBody,
	"POST /merchant/join/{token}":             noBody,
	"POST /pos/{client}/demo":                 noBody,
	"POST /verify/{token}":                    noBody,
	"POST /compliance/{id}":                   cut,
	"POST /desk/new":                          cut,
	"POST /desk/{client}/menu/import":         cut,
	"POST /staff/site/slides/{id}":            cut,
}

const (
	noBody = "its handler reads none"
	cut    = "its handler goes on with what came before the limit" // see web.Upload
)

// TestEveryRowHolds sends each route one byte more than its row allows, and compares how its page may be kept with what the row says.
func TestEveryRowHolds(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	rows, kept := routesOf(c.app), 0
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		row, p := rows[name], policies()[name]
		if strings.HasPrefix(name, "GET ") && row.Cache != "" && row.Cache != "no-store" {
			kept++
			if got := c.ask(t, c.nobody, name, p, false, ""); got.Status != http.StatusOK || got.Header.Get("Cache-Control") != row.Cache {
				t.Errorf("%s answers %d, to be kept as %q; its row says %q", name, got.Status, got.Header.Get("Cache-Control"), row.Cache)
			}
		}
		if row.Body <= 0 {
			continue
		}
		method, path, _ := strings.Cut(name, " ")
		if p.path != "" {
			path = p.path
		}
		body, header := tooLong(row)
		who := c.app
		switch row.Who {
		case handlers.Anyone, handlers.Link, handlers.InDemo:
			who = c.nobody
		case handlers.Holder:
			who = c.nobody
			header.Set("Authorization", "Bearer "+c.tokens["owner"])
		case handlers.Guest:
			who = c.guest
		case handlers.Staff:
			who = c.staff
		default:
		}
		got := who.Do(t, method, c.fillIn(t, path, true), strings.NewReader(body), header)
		why := unread[name]
		check.Equal(t, got.Status == http.StatusRequestEntityTooLarge, why == "",
			"%s answers %d to %d bytes (%s): %.200s", name, got.Status, len(body), why, got.Body)
	}
	if kept < 20 {
		t.Errorf("only %d rows let a page be kept", kept)
	}
}

// tooLong returns a body with one byte more than a row allows, in the form that its handler reads.
func tooLong(row handlers.Route) (string, http.Header) {
	begin, kind := "x=", "application/x-www-form-urlencoded"
	switch {
	case strings.HasPrefix(row.Path, "/api/"), strings.HasPrefix(row.Path, "/gateway/"):
		begin, kind = `{"x":"`, "application/json"
	case row.Body > 1<<20:
		begin, kind = "--b\r\nContent-Disposition: form-data; name=\"x\"; filename=\"x\"\r\n\r\n", "multipart/form-data; boundary=b"
	}
	header := http.Header{"Content-Type": {kind}, "Sec-Fetch-Site": {"same-origin"}}
	return begin + strings.Repeat("x", int(row.Body)+1-len(begin)), header
}
