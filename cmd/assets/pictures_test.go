package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/andybalholm/brotli"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
	"forecourt/internal/upkeep/demo"
)

func TestPictures(t *testing.T) {
	t.Parallel()
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		must.NoError(t, pictures("../../node_modules", dir))
	}
	businesses, err := demo.Businesses()
	must.NoError(t, err)
	for _, b := range businesses {
		t.Run("the pictures of "+b.Code+" are sound and light", func(t *testing.T) {
			t.Parallel()
			shown, weight := 0, 0
			for _, c := range b.Categories {
				for _, item := range c.Items {
					svg := readPicture(t, first, item.Picture)
					if !bytes.Equal(svg, readPicture(t, second, item.Picture)) {
						t.Errorf("%s: two builds differ", item.Picture)
					}
					checkPicture(t, item.Picture, svg)
					wire := brotliLen(t, svg)
					if wire > 4<<10 {
						t.Errorf("%s: %d bytes with brotli, want at most 4096", item.Picture, wire)
					}
					if shown++; shown <= 8 {
						weight += wire
					}
				}
			}
			// The budget is 60 KB for the first screen; the drawings are far below it.
			t.Logf("first eight pictures: %d bytes with brotli", weight)
			if weight > 24<<10 {
				t.Errorf("first eight pictures: %d bytes with brotli, want at most 24 KB", weight)
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

var usedID = regexp.MustCompile(`(?:url\(|href=")#([^")]+)`)

// checkPicture reports what does not work in a browser: broken XML, a duplicate id, a dangling reference, and anything that runs code or
// loads a file.
func checkPicture(t *testing.T, name string, svg []byte) {
	t.Helper()
	ids := map[string]bool{}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if tag := element.Name.Local; tag == "script" || tag == "image" || tag == "style" || tag == "foreignObject" {
			t.Errorf("%s: has a <%s>", name, tag)
		}
		for _, attr := range element.Attr {
			if attr.Name.Local == "id" {
				if ids[attr.Value] {
					t.Errorf("%s: duplicate id %s", name, attr.Value)
				}
				ids[attr.Value] = true
			}
		}
	}
	for _, used := range usedID.FindAllSubmatch(svg, -1) {
		if !ids[string(used[1])] {
			t.Errorf("%s: no element has the id %s", name, used[1])
		}
	}
}

func readPicture(t *testing.T, dir, name string) []byte {
	t.Helper()
	svg, err := os.ReadFile(filepath.Join(dir, "pictures", name+".svg"))
	must.NoError(t, err)
	return svg
}

func brotliLen(t *testing.T, text []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	_, err := w.Write(text)
	must.NoError(t, err)
	must.NoError(t, w.Close())
	return b.Len()
}
