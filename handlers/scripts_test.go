package handlers_test

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/handlers"
	"forecourt/internal/kit/check"
	"forecourt/static"
)

var (
	moduleScripts  = regexp.MustCompile(`<script type="module" src="([^"]+)"`)
	modulePreloads = regexp.MustCompile(`<link rel="modulepreload" href="([^"]+)"`)
	islandTags     = regexp.MustCompile(`<(fc-[a-z-]+)( data-scripts="([^"]*)")?>`)
)

// islands maps each island to the first script of its page, its own script, and the first scripts of the pages that usually follow. The
// card form is part of the page's script.
var islands = map[string][]string{
	"fc-order-basket":      {"menu.js", "order-basket.js", "pay.js"},
	"fc-wallets":           {"pay.js", "wallets.js"},
	"fc-wallet-demo":       {"pay.js", "wallets.js"},
	"fc-hosted-page":       {"hps.js", "hosted-page.js"},
	"fc-embedded-checkout": {"hps.js", "embedded-checkout.js"},
	"fc-key-tool":          {"keygen.js", "key-generator.js"},
	"fc-bridge":            {"bridge.js", "demo.js"},
}

// A browser that learns of a script from another script waits for the network once more. A script in the head that the page does not need
// at once, such as React, delays what it needs.
func TestAPageNamesTheScriptsThatItsScriptsImportAndNoOthers(t *testing.T) {
	t.Parallel()
	c, seen := newCast(t), map[string]bool{}
	for name, p := range policies() {
		method, _, _ := strings.Cut(name, " ")
		by := map[handlers.Who]*apptest.App{
			handlers.Anyone: c.nobody, handlers.Link: c.nobody, handlers.InDemo: c.nobody, handlers.Guest: c.guest, handlers.Staff: c.staff,
			handlers.Own: c.stranger, // with forms that are not sent
		}[p.who]
		if method == http.MethodGet {
			namesScripts(t, name, c.ask(t, cmp.Or(by, c.app), name, p, false, "").Body, seen)
		}
	}
	underway := c.app.Get(t, "/pos/panezski/"+c.ids["PAID"]).Body
	check.Contains(t, underway, "data-events=", "the page of a paid order follows nothing")
	namesScripts(t, "a payment under way", underway, seen, "watch.js")
	for _, name := range static.Names("") {
		if len(static.Scripts(name)) > 0 && !seen[static.URL(name)] {
			t.Errorf("%s is on none of the pages", name)
		}
	}
	for tag := range islands {
		if !seen[tag] {
			t.Errorf("%s is on none of the pages", tag)
		}
	}
}

// namesScripts fails the test unless a page names what its scripts and islands import, and the scripts that it fetches soon. It marks them
// as seen.
func namesScripts(t *testing.T, name, page string, seen map[string]bool, soon ...string) {
	t.Helper()
	head, _, _ := strings.Cut(page, "</head>")
	scripts, named := addresses(moduleScripts, head), addresses(modulePreloads, head)
	want := static.Imports(scripts...)
	for _, script := range soon {
		want = append(want, static.Preload(script)...)
	}
	slices.Sort(named)
	slices.Sort(want)
	if named, want = slices.Compact(named), slices.Compact(want); !slices.Equal(named, want) {
		t.Errorf("%s names %v for %v, want %v", name, named, scripts, want)
	}
	for _, script := range scripts {
		seen[script] = true
	}
	for _, tag := range islandTags.FindAllStringSubmatch(page, -1) {
		seen[tag[1]] = true
		own, ok := islands[tag[1]]
		if !ok {
			check.Equal(t, tag[1], "fc-card-form", "%s: … is not in islands", name)
			continue
		}
		if want := static.Soon(own[0], own[1], own[2:]...); tag[3] == "" || tag[3] != want {
			t.Errorf("%s: %s names %q, want %q", name, tag[1], tag[3], want)
		}
	}
}

func addresses(links *regexp.Regexp, head string) (all []string) {
	for _, found := range links.FindAllStringSubmatch(head, -1) {
		all = append(all, found[1])
	}
	return all
}
