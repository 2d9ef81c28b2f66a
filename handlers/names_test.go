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
	entry     = regexp.MustCompile(`"(?:islands|static/css)/([a-z/-]+)\.(?:ts|css)"`)
)

// handlers/part/name.go shows the page views/part/name.templ. The page's script and style sheet lie in a folder of the part and are named after
// the page or the part.
func TestOneNameFindsAPage(t *testing.T) {
	t.Parallel()
	root, places := os.DirFS(".."), map[string]bool{}
	pages, err := fs.Glob(root, "views/*/*.templ")
	check.Must(t, err)
	for _, file := range pages {
		text, err := fs.ReadFile(root, file)
		check.Must(t, err)
		place := strings.TrimSuffix(strings.TrimPrefix(file, "views/"), ".templ")
		part := path.Dir(place)
		for _, page := range pageTempl.FindAllSubmatch(text, -1) {
			places[part+"/"+part], places[place] = true, true
			handler, err := fs.ReadFile(root, "handlers/"+place+".go")
			if part != "ui" && (err != nil || !strings.Contains(string(handler), "."+string(page[1]))) { // it frames pages
				t.Errorf("the page %s of %s is not shown by handlers/%s.go: %v", page[1], file, place, err)
			}
		}
	}
	bundle, err := fs.ReadFile(root, "cmd/assets/bundle.go")
	check.Must(t, err)
	built := entry.FindAllSubmatch(bundle, -1)
	for _, found := range built {
		named := places[string(found[1])] || strings.HasPrefix(string(found[1]), "ui/") // a frame
		check.Equal(t, named, true, "%s is called like a page of its part, or like the part", found[0])
	}
	if len(places) < 50 || len(built) < 30 {
		t.Errorf("%d places, %d scripts and style sheets: do the patterns still fit?", len(places), len(built))
	}
}
