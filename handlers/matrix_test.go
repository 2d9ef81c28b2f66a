package handlers_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"forecourt/internal/apptest"
	"forecourt/internal/invite"
	"forecourt/internal/secret"
)

// reach is who gets what from a route.
type reach string

const (
	anyone  reach = "anyone"                            // the same for everybody, or of one's own session alone
	link    reach = "who has the link"                  // its id cannot be guessed, and is no one's in another business
	holder  reach = "holders of a business's token"     // Authorization: Bearer
	admin   reach = "admins of that business"           // others see what they see where there is nothing
	record  reach = "admins of that record"             // crossed by tenant_test.go and by the tests of handlers/merchant
	own     reach = "the account of the session"        // others are led to sign in
	staff   reach = "staff"                             // others see what is missing
	inDemo  reach = "anyone, in demo mode"              // not there otherwise
	nothing reach = "nobody: it only keeps a name free" // always 404
)

// route is one line of the matrix. cross is a request with somebody else's id in place of {other}, which has to be answered
// as one with an id that nobody has; body goes with it. widens are directives of the policy with what this page adds.
type route struct {
	reach       reach
	cross, body string
	widens      map[string]string
	opener      string // what other windows may hold of it; "" is the site's own alone
	referrer    string // what other sites hear of its address; "" is nothing, and this site all of it
	payment     string // origins beside its own that may ask for a payment there
	cache       string // Cache-Control where it is neither "no-store" nor, for what belongs to nobody, "private, no-cache"
}

// matrix holds every route of the site. A new one belongs here before it works.
func matrix() map[string]route {
	bank := map[string]string{"form-action": "HOST"}
	wallets := map[string]string{
		"form-action": "HOST", "connect-src": "https://pay.google.com https://google.com", "frame-src": "https://pay.google.com",
		"img-src": "https://www.gstatic.com", "script-src": "https://pay.google.com",
		"style-src": "'nonce-ONCE' 'sha256-B5xZ8LazuQtFFimrw+cAaRu+Sr5JkoCAe9yjirCJR14='",
	}
	hosted := map[string]string{"form-action": "http://HOST", "frame-src": "http://HOST", "script-src": "http://HOST"}
	return map[string]route{
		"GET /": {reach: anyone}, "GET /{page}": {reach: anyone}, "GET /search": {reach: anyone},
		"GET /privacy": {reach: anyone}, "GET /terms": {reach: anyone}, "GET /guide.pdf": {reach: anyone, cache: "no-cache"},
		"GET /healthz": {reach: anyone, cache: "none"}, "GET /readyz": {reach: anyone},
		"GET /static/*": {reach: anyone, cache: "none"}, "GET /static/brand/*": {reach: anyone},
		"GET /.well-known/*": {reach: nothing, cache: "none"}, "GET /sw.js": {reach: anyone, cache: "no-cache"}, "GET /docs": {reach: anyone}, "GET /docs/{page}": {reach: anyone},

		"GET /signin": {reach: anyone}, "POST /signin": {reach: anyone}, "GET /signup": {reach: anyone}, "POST /signup": {reach: anyone},
		"POST /signout": {reach: anyone},

		"GET /demo": {reach: anyone}, "GET /demo/keygen": {reach: anyone}, "POST /demo/keygen": {reach: anyone},
		"GET /demo/hps": {reach: anyone, widens: hosted}, "POST /demo/hps": {reach: anyone},
		"GET /demo/hps/{id}": {reach: link, cache: "private, no-cache", widens: hosted}, "POST /demo/hps/{id}/notify": {reach: link},
		"GET /demo/bridge": {reach: anyone, widens: map[string]string{"connect-src": "http://localhost:3015"}},
		"GET /crm/ws":      {reach: anyone, widens: map[string]string{"connect-src": "wss://localhost:3017"}},
		"GET /demo/qr":     {reach: anyone}, "GET /demo/qr/print": {reach: anyone},
		"GET /demo/qr/{client}.svg": {reach: anyone}, "GET /demo/qr/{client}.png": {reach: anyone},
		"GET /dev/outbox": {reach: inDemo}, "GET /dev/outbox/{id}": {reach: inDemo},
		"GET /dev/outbox/{id}/html": {reach: inDemo}, "GET /dev/outbox/{id}/file": {reach: inDemo},
		"GET /sandbox/*": {reach: inDemo, cache: "none"}, "POST /sandbox/*": {reach: inDemo, cache: "none"},

		"GET /s/{code}": {reach: anyone}, "GET /s/*": {reach: anyone}, "GET /api/shortcode/{code}": {reach: anyone},

		"GET /pos/{client}": {reach: anyone}, "POST /pos/{client}": {reach: anyone},
		"GET /pos/{client}/order": {reach: anyone}, "POST /pos/{client}/order": {reach: anyone},
		"GET /pos/{client}/demo": {reach: anyone, widens: bank}, "POST /pos/{client}/demo": {reach: anyone},
		"POST /pos/{client}/demo/retry": {reach: anyone},
		"GET /pos/{client}/{id}":        {reach: link, cross: "/pos/moollar/{other}", widens: wallets, opener: "same-origin-allow-popups", payment: ` "https://pay.google.com"`},
		"POST /pos/{client}/{id}":       {reach: link, cross: "/pos/moollar/{other}", body: "name=A&card=4111111111111111&exp=12/34&cvc=123"},
		"GET /pos/{client}/{id}/events": {reach: link, cross: "/pos/moollar/{other}/events"},
		"POST /pos/{client}/{id}/retry": {reach: link, cross: "/pos/moollar/{other}/retry", body: "x=y"},

		"POST /pos/{client}/{id}/push": {reach: link, cross: "/pos/moollar/{other}/push", body: "token=x"},

		"GET /receipt/{token}": {reach: link}, "GET /receipt/{token}/code.svg": {reach: link}, "GET /receipt/{token}/receipt.txt": {reach: link},
		"GET /receipt/{token}/receipt.sig": {reach: link}, "POST /receipt/{token}/resend": {reach: link},
		"GET /receipt/verify": {reach: anyone}, "GET /receipt/key.pem": {reach: anyone, cache: "none"},

		"POST /api/push/v1/projects/{project}/registrations":           {reach: anyone},
		"PATCH /api/push/v1/projects/{project}/registrations/{token}":  {reach: link},
		"DELETE /api/push/v1/projects/{project}/registrations/{token}": {reach: link},

		"GET /pos/{client}/kitchen":        {reach: admin, cross: "/pos/{other}/kitchen"},
		"POST /pos/{client}/kitchen":       {reach: admin, cross: "/pos/{other}/kitchen", body: "done=Kitchen"},
		"GET /pos/{client}/kitchen/events": {reach: admin, cross: "/pos/{other}/kitchen/events"},

		"POST /api/pos": {reach: anyone}, "GET /api/pos/{client}": {reach: anyone},
		"GET /api/pos/{client}/{id}": {reach: link, cross: "/api/pos/moollar/{other}"},
		"POST /api/pay": {reach: link, cross: "/api/pay",
			body: `{"merchantId":"moollar","trxId":"{other}","cardholder":"A","pan":"4111111111111111","exp":"12/34","cvc":"123"}`},
		"POST /api/batch": {reach: holder}, "GET /api/batch/{id}": {reach: holder, cross: "/api/batch/{other}"},

		"POST /api/wallet": {reach: link}, "POST /api/wallet/session": {reach: anyone},

		"GET /reset": {reach: anyone}, "POST /reset": {reach: anyone}, "GET /reset/{token}": {reach: link, referrer: "strict-origin"}, "POST /reset/{token}": {reach: link, referrer: "strict-origin"},
		"GET /account": {reach: own}, "POST /account": {reach: own},
		"GET /form/{id}": {reach: own}, "POST /form/{id}": {reach: own}, "GET /form/{id}/check": {reach: own}, "POST /form/{id}/check": {reach: own},
		"GET /form/{id}/{step}": {reach: own}, "POST /form/{id}/{step}": {reach: own},
		"GET /compliance/{id}": {reach: record}, "POST /compliance/{id}": {reach: record}, "GET /compliance/{id}/agreement.pdf": {reach: record},
		"GET /compliance/{id}/{number}/{side}": {reach: record}, "GET /api/compliance/{id}": {reach: record},
		"POST /api/compliance/{id}/people/{number}": {reach: record},
		"GET /merchant/admin":                       {reach: own}, "POST /merchant/admin": {reach: own}, "GET /merchant/admin/width.css": {reach: anyone, cache: "private, max-age=3600"},
		"POST /merchant/admin/{uuid}/secret": {reach: record}, "POST /merchant/admin/{uuid}/rotate": {reach: record},
		"POST /merchant/admin/{uuid}/admins": {reach: record}, "POST /api/create": {reach: own},
		"GET /merchant/join/{token}": {reach: link}, "POST /merchant/join/{token}": {reach: link},
		"POST /gateway/{uuid}/pay": {reach: holder},
		"GET /staff/compliance":    {reach: staff}, "GET /staff/compliance/{id}/{number}": {reach: staff}, "POST /staff/compliance/{id}/{number}": {reach: staff},
		"GET /staff/compliance/{id}/{number}/{side}": {reach: staff},
		"GET /staff/forms":                           {reach: staff}, "GET /staff/forms/{reference}": {reach: staff}, "POST /staff/forms/{reference}": {reach: staff},

		"GET /onboarding/tokengen/{docId}": {reach: link}, "POST /onboarding/tokengen/{docId}": {reach: link},
	}
}

// routesOf lists what the site answers. What stands for every method counts as what browsers send.
func routesOf(t *testing.T, app *apptest.App) map[string]bool {
	t.Helper()
	methods := map[string][]string{}
	err := chi.Walk(app.Routes, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		methods[pattern] = append(methods[pattern], method)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for pattern, known := range methods {
		if slices.Contains(known, http.MethodTrace) {
			known = []string{http.MethodGet}
			if strings.HasPrefix(pattern, "/sandbox/") {
				known = append(known, http.MethodPost)
			}
		}
		for _, method := range known {
			all[method+" "+pattern] = true
		}
	}
	return all
}

func TestEveryRouteIsForSomebody(t *testing.T) {
	t.Parallel()
	found, known := routesOf(t, apptest.New(t, apptest.Options{})), matrix()
	if len(found) < 40 {
		t.Fatalf("%d routes", len(found))
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		line, listed := known[name]
		if !listed {
			t.Errorf("SEC-12 nobody said who may reach %s: add it to the matrix", name)
		}
		owned := (line.reach == link || line.reach == admin || line.reach == holder) && strings.Contains(name, "{id}") || line.reach == admin
		// The demo's own pages hold nothing of a business.
		if owned && line.cross == "" && !strings.Contains(name, "/demo/") {
			t.Errorf("SEC-12 %s is for %s, and nothing crosses it", name, line.reach)
		}
	}
	for name := range known {
		if !found[name] {
			t.Errorf("%s is in the matrix and not on the site", name)
		}
	}
}

func TestWhatIsSomebodyElsesAnswersAsWhatIsMissing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	theirs := app.Order(t)
	batch := app.Do(t, http.MethodPost, "/api/batch", strings.NewReader(`[{"amount":"1.00"}]`), http.Header{
		"Content-Type": {"application/json"}, "Authorization": {"Bearer " + tokenOf(t, app, "panezski")},
	})
	made := apptest.JSON[struct{ ID string }](t, batch)
	if made.ID == "" {
		t.Fatalf("no batch: %d %s", batch.Status, batch.Body)
	}
	ours := "Bearer " + tokenOf(t, app, "moollar")
	stranger := app.NewPerson(t)
	stranger.SignUp(t, "stranger@forecourt.test")
	for _, name := range slices.Sorted(maps.Keys(matrix())) {
		line := matrix()[name]
		if line.cross == "" {
			continue
		}
		method, _, _ := strings.Cut(name, " ")
		other, missing := theirs, strings.Repeat("A", len(theirs))
		switch line.reach {
		case admin:
			other, missing = "panezski", "panezska"
		case holder:
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
			t.Errorf("SEC-09 %s: %d for somebody else's, %d for what is missing", name, there.Status, nowhere.Status)
		}
		if a, b := neutral(there), neutral(nowhere); a != b {
			t.Errorf("SEC-09 %s tells the difference:\n%.400s\n%.400s", name, a, b)
		}
	}
	if got := app.Do(t, http.MethodGet, "/api/pos/panezski/"+theirs, nil, nil); !strings.Contains(got.Body, `"status":"new"`) {
		t.Errorf("something crossed: %s", got.Body)
	}
}

func tokenOf(t *testing.T, app *apptest.App, client string) string {
	t.Helper()
	made, err := app.Invites.Create(t.Context(), client, client+"@example.com", 1)
	if err != nil {
		t.Fatal(err)
	}
	token, err := app.Invites.Generate(t.Context(), invite.Request{
		DocID: made.DocID, Email: made.Email, SecretKey: made.SecretKey, Password: secret.New("Blue-kettle-7"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return token.Reveal()
}
