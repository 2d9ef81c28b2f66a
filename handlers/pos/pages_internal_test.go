package pos

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/a-h/templ"

	"forecourt/handlers/web"
	"forecourt/internal/kit/brand"
	"forecourt/internal/shop/order"
)

// TestCachedPagesShareABound requests menus for more tables of more businesses than the cache has room for.
func TestCachedPagesShareABound(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	large := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.CopyN(w, rand.Reader, keptBytes/10) // does not shrink
		return err
	})
	drawn := 0
	draw := func() (*web.Prepared, error) {
		drawn++
		return web.Prepare(r, large)
	}
	p := &pages{}
	held := func() (size int) {
		for _, kept := range p.kept {
			for _, page := range kept.pages {
				size += page.Size()
			}
		}
		return size
	}
	for i := range 25 {
		menu := &order.Menu{Shop: brand.Shop{Code: fmt.Sprint(i / 5)}}
		for range 2 { // the second guest gets the first one's page
			if _, err := p.get(menu, pageKey{table: "1"}, draw); err != nil {
				t.Fatal(err)
			}
		}
		for table := range 3 {
			if _, err := p.get(menu, pageKey{table: fmt.Sprint("t", table)}, draw); err != nil {
				t.Fatal(err)
			}
		}
		if size := held(); size != p.size || size > keptBytes {
			t.Fatalf("menu %d: %d bytes cached, counted as %d, of at most %d", i, size, p.size, keptBytes)
		}
	}
	if drawn != 100 {
		t.Errorf("%d pages were drawn, want 100", drawn)
	}
}
