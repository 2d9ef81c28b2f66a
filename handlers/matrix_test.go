package handlers_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"forecourt/app/apptest"
	"forecourt/handlers"
	"forecourt/internal/kit/check"
)

// probe is what the tests know about a route's headers. widens maps directives of the policy to what this page adds to them.
type probe struct {
	widens   map[string]string
	opener   string // windows that may keep a reference to it; "" means only the site's own
	referrer string // what other sites learn of its address; "" means that they learn nothing, and this site all of it
	payment  string // other origins that may request a payment there
	cache    string // Cache-Control, unless it is "no-store" or, for a page that belongs to nobody, "private, no-cache"
}

// probes returns the probes of the routes that need one, by method and path.
func probes() map[string]probe {
	bank := map[string]string{"form-action": "HOST"}
	wallets := map[string]string{
		"form-action": "HOST", "connect-src": "https://pay.google.com https://google.com", "frame-src": "https://pay.google.com",
		"img-src": "https://www.gstatic.com", "script-src": "https://pay.google.com",
		"style-src": "'nonce-ONCE' 'sha256-B5xZ8LazuQtFFimrw+cAaRu+Sr5JkoCAe9yjirCJR14='",
	}
	hosted := map[string]string{"form-action": "http://HOST", "frame-src": "http://HOST", "script-src": "http://HOST"}
	return map[string]probe{
		"GET /guide.pdf":                {cache: "no-cache"},
		"GET /healthz":                  {cache: "none"},
		"GET /static/*":                 {cache: "none"},
		"GET /.well-known/*":            {cache: "none"},
		"GET /sw.js":                    {cache: "no-cache"},
		"GET /sw.js/*":                  {cache: "none"},
		"GET /robots.txt":               {cache: "no-cache"},
		"GET /demo/hps":                 {widens: hosted},
		"GET /demo/hps/{id}":            {cache: "private, no-cache", widens: hosted},
		"GET /demo/bridge":              {widens: map[string]string{"connect-src": "http://localhost:3015"}},
		"GET /crm/ws":                   {widens: map[string]string{"connect-src": "wss://localhost:3017"}},
		"GET /sandbox/*":                {cache: "none"},
		"POST /sandbox/*":               {cache: "none"},
		"GET /pos/{client}/demo":        {widens: bank},
		"GET /pos/{client}/{id}":        {widens: wallets, opener: "same-origin-allow-popups", payment: ` "https://pay.google.com"`},
		"GET /receipt/key.pem":          {cache: "none"},
		"GET /receipt/{token}/erase":    {referrer: "strict-origin"},
		"POST /receipt/{token}/erase":   {referrer: "strict-origin"},
		"GET /reset/{token}":            {referrer: "strict-origin"},
		"POST /reset/{token}":           {referrer: "strict-origin"},
		"GET /join/{token}":             {referrer: "strict-origin"},
		"POST /join/{token}":            {referrer: "strict-origin"},
		"GET /kitchen/{token}":          {referrer: "strict-origin"},
		"POST /kitchen/{token}":         {referrer: "strict-origin"},
		"GET /verify/{token}":           {referrer: "strict-origin"},
		"POST /verify/{token}":          {referrer: "strict-origin"},
		"GET /first/{token}":            {referrer: "strict-origin"},
		"POST /first/{token}":           {referrer: "strict-origin"},
		"GET /merchant/admin/width.css": {cache: "private, max-age=3600"},
	}
}

// routesOf lists the site's routes by method and path. A route for every method counts as one for each method that browsers send.
func routesOf(app *apptest.App) map[string]handlers.Route {
	all := map[string]handlers.Route{}
	for _, row := range app.Site.Map {
		methods := []string{row.Method}
		if row.Method == "" {
			methods = []string{http.MethodGet}
		}
		if strings.HasPrefix(row.Path, "/sandbox/") {
			methods = append(methods, http.MethodPost)
		}
		for _, method := range methods {
			all[method+" "+row.Path] = row
		}
	}
	return all
}

// personal matches the addresses that nobody sees without signing in.
var personal = regexp.MustCompile(`^/(account|form/|compliance/|merchant/|staff/|api/compliance/|api/create|desk|pos/\{client\}/kitchen)`)

func TestTheMapIsTheWholeSite(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	rows, known := routesOf(app), probes()
	if len(rows) < 110 {
		t.Fatalf("%d routes", len(rows))
	}
	err := chi.Walk(app.Site, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		fits := func(r handlers.Route) bool { return r.Path == pattern && (r.Method == method || r.Method == "") }
		if !slices.ContainsFunc(app.Site.Map, fits) {
			t.Errorf("%s %s has a handler but is not in the map", method, pattern)
		}
		return nil
	})
	check.Must(t, err)
	t.Run("the address of each route fits who may use it (SEC-12)", func(t *testing.T) {
		for name, row := range rows {
			if team[row.Who] != "" && !strings.Contains(row.Path, "/{client}") {
				t.Errorf("%s is for %s, but its path names no shop", name, row.Who)
			}
			if strings.Contains(name, " /desk/{client}") && team[row.Who] == "" {
				t.Errorf("%s is for %s", name, row.Who)
			}
			check.Equal(t, strings.Contains(name+"/", " /staff/"), row.Who == handlers.Staff, "%s is for %s", name, row.Who)
			check.Equal(t, strings.Contains(name, " /dev/"), row.Who == handlers.InDemo, "%s is for %s", name, row.Who) // the outbox
			open := row.Who == handlers.Anyone || row.Who == handlers.Link || row.Who == handlers.Holder
			if open && personal.MatchString(row.Path) && row.Path != "/merchant/admin/width.css" {
				t.Errorf("%s is for %s", name, row.Who)
			}
			if row.Body == 0 && row.Method == http.MethodPatch || row.Body != 0 && row.Method == http.MethodGet {
				t.Errorf("%s takes %d bytes", name, row.Body)
			}
		}
	})
	for name := range known {
		if _, found := rows[name]; !found {
			t.Errorf("%s has a probe but is not on the site", name)
		}
	}
}
