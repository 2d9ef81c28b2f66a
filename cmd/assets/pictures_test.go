package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/upkeep/demo"
)

func TestPictures(t *testing.T) {
	t.Parallel()
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		check.Must(t, pictures("../../node_modules", dir))
	}
	businesses, err := demo.Businesses()
	check.Must(t, err)
	for _, b := range businesses {
		t.Run("the pictures of "+b.Code+" are drawings and nothing else", func(t *testing.T) {
			t.Parallel()
			for _, c := range b.Categories {
				for _, item := range c.Items {
					svg := readPicture(t, first, item.Picture)
					if !bytes.Equal(svg, readPicture(t, second, item.Picture)) {
						t.Errorf("%s: two builds differ", item.Picture)
					}
					if runs.Match(svg) || len(svg) > heavyPicture {
						t.Errorf("%s: %d bytes, or it runs code or loads a file", item.Picture, len(svg))
					}
				}
			}
		})
	}
}

func TestPicture(t *testing.T) {
	t.Parallel()
	set := func(body string) iconSet {
		s := iconSet{Width: 32, Height: 32}
		s.Icons = map[string]struct {
			Body          string
			Width, Height int
		}{"cup": {Body: body, Height: 33}}
		return s
	}
	heavy := set("<g>" + string(bytes.Repeat([]byte("<g/>"), heavyPicture/4)) + "</g>")
	light := set("<g/>")
	const want = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="66" viewBox="0 0 32 33"><g/></svg>` + "\n"
	t.Run("a flat drawing replaces a heavy one", func(t *testing.T) {
		t.Parallel()
		if got, err := picture("cup", heavy, light); err != nil || got != want {
			t.Errorf("got %.200q, %v, want %q", got, err, want)
		}
	})
	t.Run("a heavy drawing stays if there is no flat one", func(t *testing.T) {
		t.Parallel()
		if got, err := picture("cup", heavy, iconSet{}); err != nil || len(got) < heavyPicture {
			t.Errorf("got %.200q, %v", got, err)
		}
	})
	t.Run("an unknown name is an error", func(t *testing.T) {
		t.Parallel()
		got, err := picture("mug", light, light)
		check.Error(t, err, "%q, want an error", got)
	})
}

// runs matches what runs code or loads a file.
var runs = regexp.MustCompile(`(?i)<(script|image|style|foreignObject)`)

func readPicture(t *testing.T, dir, name string) []byte {
	t.Helper()
	svg, err := os.ReadFile(filepath.Join(dir, "pictures", name+".svg"))
	check.Must(t, err)
	return svg
}
