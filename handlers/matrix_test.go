package handlers_test

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"forecourt/app/apptest"
	"forecourt/handlers"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
)

// probe is what the tests know about a route besides its row. cross is a request with somebody else's id in place of {other}, which has to
// get the same answer as an id that nobody has; body is its body. widens maps directives of the policy to what this page adds to them.
type probe struct {
	cross, body string
	widens      map[string]string
	opener      string // windows that may keep a reference to it; "" means only the site's own
	referrer    string // what other sites learn of its address; "" means that they learn nothing, and this site all of it
	payment     string // other origins that may request a payment there
	cache       string // Cache-Control, unless it is "no-store" or, for a page that belongs to nobody, "private, no-cache"
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
		"GET /guide.pdf":                   {cache: "no-cache"},
		"GET /healthz":                     {cache: "none"},
		"GET /static/*":                    {cache: "none"},
		"GET /.well-known/*":               {cache: "none"},
		"GET /sw.js":                       {cache: "no-cache"},
		"GET /sw.js/*":                     {cache: "none"},
		"GET /robots.txt":                  {cache: "no-cache"},
		"GET /demo/hps":                    {widens: hosted},
		"GET /demo/hps/{id}":               {cache: "private, no-cache", widens: hosted},
		"GET /demo/bridge":                 {widens: map[string]string{"connect-src": "http://localhost:3015"}},
		"GET /crm/ws":                      {widens: map[string]string{"connect-src": "wss://localhost:3017"}},
		"GET /sandbox/*":                   {cache: "none"},
		"POST /sandbox/*":                  {cache: "none"},
		"GET /pos/{client}/demo":           {widens: bank},
		"GET /pos/{client}/{id}":           {cross: "/pos/moollar/{other}", widens: wallets, opener: "same-origin-allow-popups", payment: ` "https://pay.google.com"`},
		"POST /pos/{client}/{id}":          {cross: "/pos/moollar/{other}", body: "name=A&card=4111111111111111&exp=12/34&cvc=123"},
		"GET /pos/{client}/{id}/events":    {cross: "/pos/moollar/{other}/events"},
		"POST /pos/{client}/{id}/retry":    {cross: "/pos/moollar/{other}/retry", body: "x=y"},
		"POST /pos/{client}/{id}/push":     {cross: "/pos/moollar/{other}/push", body: "token=x"},
		"GET /receipt/key.pem":             {cache: "none"},
		"GET /receipt/{token}/erase":       {referrer: "strict-origin"},
		"POST /receipt/{token}/erase":      {referrer: "strict-origin"},
		"GET /pos/{client}/kitchen":        {cross: "/pos/{other}/kitchen"},
		"POST /pos/{client}/kitchen":       {cross: "/pos/{other}/kitchen", body: "done=Kitchen"},
		"GET /pos/{client}/kitchen/events": {cross: "/pos/{other}/kitchen/events"},
		"GET /api/pos/{client}/{id}":       {cross: "/api/pos/moollar/{other}"},
		"POST /api/pay":                    {cross: "/api/pay", body: `{"merchantId":"moollar","trxId":"{other}","cardholder":"A","pan":"4111111111111111","exp":"12/34","cvc":"123"}`},
		"GET /api/batch/{id}":              {cross: "/api/batch/{other}"},
		"GET /reset/{token}":               {referrer: "strict-origin"},
		"POST /reset/{token}":              {referrer: "strict-origin"},
		"GET /join/{token}":                {referrer: "strict-origin"},
		"POST /join/{token}":               {referrer: "strict-origin"},
		"GET /kitchen/{token}":             {referrer: "strict-origin"},
		"POST /kitchen/{token}":            {referrer: "strict-origin"},
		"GET /verify/{token}":              {referrer: "strict-origin"},
		"POST /verify/{token}":             {referrer: "strict-origin"},
		"GET /first/{token}":               {referrer: "strict-origin"},
		"POST /first/{token}":              {referrer: "strict-origin"},
		"GET /merchant/admin/width.css":    {cache: "private, max-age=3600"},
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
	must.NoError(t, err)
	t.Run("the address of each route fits who may use it (SEC-12)", func(t *testing.T) {
		for name, row := range rows {
			owned := (row.Who == handlers.Link || row.Who == handlers.Holder) && strings.Contains(name, "{id}")
			// The demo's own pages show nothing that belongs to a business.
			if owned && known[name].cross == "" && !strings.Contains(name, "/demo/") {
				t.Errorf("%s is for %s, but has no probe with somebody else's id", name, row.Who)
			}
			if team[row.Who] != "" && !strings.Contains(row.Path, "/{client}") {
				t.Errorf("%s is for %s, but its path names no shop", name, row.Who)
			}
			if strings.Contains(name, " /desk/{client}") && team[row.Who] == "" {
				t.Errorf("%s is for %s", name, row.Who)
			}
			check.Equal(t, strings.Contains(name, " /staff/"), row.Who == handlers.Staff, "%s is for %s", name, row.Who)
			// The outbox, the sandbox's hosted page, and codes that lead to demo businesses.
			check.Equal(t, regexp.MustCompile(` /(dev|demo/hps|demo/qr)(/|$)`).MatchString(name), row.Who == handlers.InDemo,
				"%s is for %s", name, row.Who)
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

func TestSomebodyElsesThingsLookMissing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	theirs := app.Order(t)
	batch := app.Do(t, http.MethodPost, "/api/batch", strings.NewReader(`[{"amount":"1.00"}]`), http.Header{
		"Content-Type": {"application/json"}, "Authorization": {"Bearer " + app.Bearer(t, "panezski")},
	})
	made := apptest.JSON[struct{ ID string }](t, batch)
	if made.ID == "" {
		t.Fatalf("no batch: %d %s", batch.Status, batch.Body)
	}
	ours := "Bearer " + app.Bearer(t, "moollar")
	stranger := app.NewPerson(t)
	stranger.SignUp(t, "stranger@forecourt.test")
	rows := routesOf(app)
	t.Run("somebody else's thing and a missing one get the same answer (SEC-09)", func(t *testing.T) {
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			line := probes()[name]
			if team[rows[name].Who] != "" {
				line.cross = strings.ReplaceAll(rows[name].Path, "{client}", "{other}")
			}
			if line.cross == "" {
				continue
			}
			method, _, _ := strings.Cut(name, " ")
			other, missing := theirs, strings.Repeat("A", len(theirs))
			switch who := rows[name].Who; {
			case team[who] != "":
				other, missing = "panezski", "panezska"
			case who == handlers.Holder:
				other, missing = made.ID, strings.Repeat("0", len(made.ID))
			}
			ask := func(id string) apptest.Answer {
				header := http.Header{"Sec-Fetch-Site": {"same-origin"}, "Authorization": {ours}}
				if line.body != "" {
					header.Set("Content-Type", "application/x-www-form-urlencoded")
				}
				if strings.HasPrefix(line.body, "{") {
					header.Set("Content-Type", "application/json")
				}
				put := strings.NewReplacer("{other}", url.PathEscape(id)).Replace
				return stranger.Do(t, method, put(line.cross), strings.NewReader(put(line.body)), header)
			}
			there, nowhere := ask(other), ask(missing)
			neutral := func(a apptest.Answer) string {
				return strings.NewReplacer(other, "ID", missing, "ID", a.Header.Get("X-Request-Id"), "REQUEST").Replace(a.Body)
			}
			if there.Status != http.StatusNotFound || nowhere.Status != http.StatusNotFound {
				t.Errorf("%s: %d for somebody else's thing, %d for a missing one", name, there.Status, nowhere.Status)
			}
			a, b := neutral(there), neutral(nowhere)
			check.Equal(t, a, b, "%s reveals the difference", name)
		}
	})
	check.Contains(t, app.Do(t, http.MethodGet, "/api/pos/panezski/"+theirs, nil, nil).Body, `"status":"new"`,
		"a request changed somebody else's transaction")
}
