package books_test

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/must"
	"forecourt/internal/shop/books"
)

// TestATableTakesTheMemoryOfAPage is not parallel, so that it measures only its own memory.
func TestATableTakesTheMemoryOfAPage(t *testing.T) {
	const rows, most = 20_000, 6 << 20
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	at := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	past(t, app, at, rows)
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // measure live memory rather than uncollected garbage
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	seen := &weight{before: stats.HeapAlloc}
	span := books.Span{Shop: one.Code, Test: true, Since: at, Before: time.Now(), Zone: one.Zone()}
	must.NoError(t, app.Books.Write(t.Context(), books.ExportPayments, span, seen))
	t.Logf("%d bytes in %d pages took %d bytes of memory at most", seen.bytes, seen.pages, seen.peak)
	if seen.pages < rows/2000 || seen.bytes < rows*80 || seen.peak > most {
		t.Errorf("%d bytes in %d pages took %d bytes of memory, want at most %d", seen.bytes, seen.pages, seen.peak, most)
	}
}

// weight measures the heap at each page.
type weight struct {
	before, peak uint64
	bytes, pages int
}

func (w *weight) Write(page []byte) (int, error) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	w.peak = max(w.peak, max(stats.HeapAlloc, w.before)-w.before)
	w.bytes, w.pages = w.bytes+len(page), w.pages+1
	return len(page), nil
}
