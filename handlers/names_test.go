package handlers_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

var (
	pageTempl = regexp.MustCompile(`(?m)^templ ([A-Z]\w*Page)\(`)
	entry     = regexp.MustCompile(`"(islands|static/css)/([a-z/-]+)\.(?:ts|css)"`)
)

// acrossPages lists browser tests about more than one page.
var acrossPages = map[string]string{
	"books":           "the exports and the closings of a business",
	"budget":          "what every page may weigh",
	"builtin-sandbox": "the sandbox that pages pay at",
	"live":            "open pages of a menu, a payment and a kitchen show changes",
	"looks":           "how every page looks",
	"menu-studio":     "a menu from the owner's desk to a guest's order",
	"paylink":         "a link made by a command",
	"privacy":         "a copy and the erasure of an account, from the policy that promises them",
	"scripts":         "what pages may run",
	"status":          "a payment and the kitchen side by side",
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	check.NoError(t, err)
	return string(text)
}

func files(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := fs.Glob(os.DirFS(".."), pattern)
	if err != nil || len(found) < 10 {
		t.Fatalf("%s finds %d files, %v", pattern, len(found), err)
	}
	return found
}

// handlers/part/name.go shows the page views/part/name.templ. The page's script and style sheet lie in a folder of the part and are named after
// the page or the part; its browser test may also be named after a file or folder of handlers.
func TestOneNameFindsAPage(t *testing.T) {
	t.Parallel()
	names, places := map[string]bool{}, map[string]bool{}
	for _, file := range files(t, "views/*/*.templ") {
		folder, name := path.Split(strings.TrimSuffix(file, ".templ"))
		part := path.Base(folder)
		pages := pageTempl.FindAllStringSubmatch(read(t, "../"+file), -1)
		if len(pages) == 0 {
			continue
		}
		names[part], names[name] = true, true
		places[part+"/"+part], places[part+"/"+name] = true, true
		if part == "layout" { // it frames pages
			continue
		}
		handler := "handlers/" + part + "/" + name + ".go"
		text := read(t, "../"+handler)
		for _, page := range pages {
			check.Contains(t, text, "."+page[1], "the page %s of %s is not shown by %s", page[1], file, handler)
		}
	}
	built := map[string]int{}
	for _, found := range entry.FindAllStringSubmatch(read(t, "../cmd/assets/bundle.go"), -1) {
		built[found[1]]++
		if !places[found[2]] {
			t.Errorf("%s is called like no page of its part, and not like the part", found[0])
		}
	}
	if built["islands"] < 15 || built["static/css"] < 15 {
		t.Errorf("cmd/assets/bundle.go names %v scripts and style sheets: does the pattern still fit?", built)
	}
	for _, file := range files(t, "handlers/*/*.go") {
		folder, name := path.Split(strings.TrimSuffix(file, ".go"))
		names[path.Base(folder)], names[name] = true, true
	}
	for _, file := range files(t, "e2e/*.spec.ts") {
		name := strings.TrimSuffix(path.Base(file), ".spec.ts")
		if !names[name] && acrossPages[name] == "" {
			t.Errorf("%s has the name of no page and no part", file)
		}
		if names[name] && acrossPages[name] != "" {
			t.Errorf("%s has a page's name and is listed as a test of several pages", file)
		}
	}
}

// What a part's pages need in the browser lies in a folder of the name that its views have.
func TestScriptsMirrorTheViews(t *testing.T) {
	t.Parallel()
	for _, file := range files(t, "islands/*/*") {
		part := path.Base(path.Dir(file))
		_, err := os.Stat("../views/" + part)
		check.NoError(t, err, "%s: there is no views/%s", file, part)
	}
}
