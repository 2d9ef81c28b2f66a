package pos

import (
	"strconv"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"forecourt/handlers/web"
	"forecourt/internal/brand"
	"forecourt/internal/order"
)

// TestPagesThatAreKeptTakeSoMuchMemory has strangers ask for tables that are none, at businesses with long menus: each is a page of its own.
func TestPagesThatAreKeptTakeSoMuchMemory(t *testing.T) {
	t.Parallel()
	var p pages
	long := templ.Raw(strings.Repeat("x", 1<<20))
	ask := func(menu *order.Menu, key pageKey) (rendered bool) {
		t.Helper()
		if _, err := p.get(menu, key, func() (*web.Prepared, error) { rendered = true; return web.Prepare(t.Context(), long) }); err != nil {
			t.Fatal(err)
		}
		return rendered
	}
	for client := range 4 {
		menu := &order.Menu{Client: brand.Client{Code: strconv.Itoa(client)}}
		for table := range 16 {
			key := pageKey{table: strconv.Itoa(table)}
			if !ask(menu, key) || ask(menu, key) {
				t.Fatalf("table %d of business %d is not kept", table, client)
			}
		}
	}
	menu := &order.Menu{Client: brand.Client{Code: "0"}}
	ask(menu, pageKey{})
	changed := *menu
	if ask(&changed, pageKey{}); !ask(menu, pageKey{}) || !ask(&changed, pageKey{}) {
		t.Error("a page of another menu is answered")
	}
	for table := range keptPages + 1 {
		key := pageKey{table: "short " + strconv.Itoa(table)}
		if _, err := p.get(menu, key, func() (*web.Prepared, error) { return web.Prepare(t.Context(), templ.Raw("x")) }); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.kept["0"].pages); n > keptPages {
		t.Errorf("%d pages of a menu are kept", n)
	}
	items := []*order.Item{{ID: 1, Name: "Bread", Description: strings.Repeat("b", 100_000)}}
	if _, err := p.model(t.Context(), &order.Menu{Client: brand.Client{Code: "drawn"}, Categories: []order.Category{{Items: items}}}, choice{}); err != nil {
		t.Fatal(err)
	}
	if n := p.kept["drawn"].bytes; n < 100_000 {
		t.Errorf("the rows of a menu count as %d bytes", n)
	}
	kept := 0
	for _, one := range p.kept {
		size := 0
		if one.drawn != nil {
			size = one.drawn.Size()
		}
		for _, page := range one.pages {
			size += page.Size()
		}
		if size != one.bytes {
			t.Errorf("%d bytes are counted as %d", size, one.bytes)
		}
		kept += size
	}
	if kept != p.bytes || kept > keptBytes {
		t.Errorf("%d bytes are kept, counted as %d", kept, p.bytes)
	}
}
