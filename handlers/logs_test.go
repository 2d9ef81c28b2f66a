package handlers_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/handlers"
	"forecourt/internal/kit/check"
)

const maskedToken = "QX7SECRETQX7SECRETQX7SECRE"

// tokenPaths returns the site's addresses that need nothing but a token or an id, with token in its place.
func tokenPaths(t *testing.T) []string {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	paths := []string{"/sandbox/3ds/" + maskedToken, "/sandbox/hps/" + maskedToken} // these are below rows of their own
	for _, row := range app.Site.Map {
		if row.Who != handlers.Link && row.Who != handlers.Guest || !strings.Contains(row.Path, "{") {
			continue
		}
		named := strings.NewReplacer("{client}", "panezski", "{project}", "shop").Replace(row.Path)
		paths = append(paths, regexp.MustCompile(`\{[A-Za-z]+\}`).ReplaceAllLiteralString(named, maskedToken))
	}
	if len(paths) < 20 {
		t.Fatalf("only %d addresses hold a token", len(paths))
	}
	return paths
}

// TestEveryProxyMasksEveryToken compares the configurations' patterns with the map of the site, so that no pattern can miss a new
// address with a token.
func TestEveryProxyMasksEveryToken(t *testing.T) {
	t.Parallel()
	paths := tokenPaths(t)
	for file, pattern := range map[string]string{
		"nginx.conf": `"~([^"]+)\(\?<rest>\.\*\)" \$1/-\$rest;`,
		"Caddyfile":  `request>uri regexp "([^"]+)\|\[\?\]\.\*" "\$\{1\}"`,
	} {
		text, err := os.ReadFile("../deploy/" + file)
		check.Must(t, err)
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if found == nil {
			t.Errorf("%s has no pattern like %s", file, pattern)
			continue
		}
		mask := regexp.MustCompile(string(found[1]))
		for _, path := range paths {
			check.Lacks(t, mask.ReplaceAllString(path, "$1/-"), maskedToken,
				"%s logs the token of %s: add the beginning of this address to the patterns in nginx.conf and Caddyfile", file, path)
		}
		for _, path := range []string{"/pos/panezski", "/staff/payments", "/static/site.css", "/api/pos"} {
			check.Equal(t, mask.ReplaceAllString(path, "$1/-"), path, "%s logs", file)
		}
	}
}
