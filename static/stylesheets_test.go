package static

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

// stylesheets returns the sources of all stylesheets, by path.
func stylesheets(t *testing.T) map[string]string {
	t.Helper()
	all, sources := map[string]string{}, os.DirFS("css")
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(sources, name)
		all[name] = string(text)
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatal("no stylesheets", err)
	}
	return all
}

func TestStylesheetsUseOnlyTheBreakpoints(t *testing.T) {
	t.Parallel()
	width := regexp.MustCompile(`@media[^{]*width[^{]*?(\d+(?:\.\d+)?)(px|r?em)`)
	agreed := []string{"576px", "768px", "992px", "1200px", "1400px"}
	found := 0
	t.Run("stylesheets break only at the agreed widths (CONST-08)", func(t *testing.T) {
		for file, text := range stylesheets(t) {
			for _, match := range width.FindAllStringSubmatch(text, -1) {
				found++
				if !slices.Contains(agreed, match[1]+match[2]) {
					t.Errorf("%s breaks at %s%s, want one of %v", file, match[1], match[2], agreed)
				}
			}
		}
	})
	if found == 0 {
		t.Error("found no breakpoint: does the pattern still match?")
	}
}

func TestOnlyTokensHaveColours(t *testing.T) {
	t.Parallel()
	raw := regexp.MustCompile(`(?i)#[0-9a-f]{3,8}\b[^{]*;|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(`)
	found := 0
	for file, text := range stylesheets(t) {
		colours := raw.FindAllString(text, -1)
		if path.Base(file) == "tokens.css" {
			found += len(colours)
		} else if len(colours) > 0 {
			t.Errorf("%s has colours of its own: %q", file, colours)
		}
	}
	if found == 0 {
		t.Error("found no colour: does the pattern still match?")
	}
}

func TestStylesheetsAreShort(t *testing.T) {
	t.Parallel()
	for file, text := range stylesheets(t) {
		if lines := strings.Count(text, "\n"); lines > 200 {
			t.Errorf("%s has %d lines, want at most 200", file, lines)
		}
	}
}

// A part's styles are in a folder named like that of its views.
func TestStylesheetsMirrorTheViews(t *testing.T) {
	t.Parallel()
	for file := range stylesheets(t) {
		folder := path.Dir(file)
		_, err := os.Stat(path.Join("../views", folder))
		check.NoError(t, err, "%s: there is no views/%s", file, folder)
	}
}
