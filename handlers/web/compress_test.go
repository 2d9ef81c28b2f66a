package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/a-h/templ"
	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"forecourt/handlers/web"
)

// unpack undoes a content encoding.
func unpack(t *testing.T, encoding string, body []byte) string {
	t.Helper()
	var from io.Reader = bytes.NewReader(body)
	var err error
	switch encoding {
	case "br":
		from = brotli.NewReader(from)
	case "gzip":
		from, err = gzip.NewReader(from)
	case "zstd":
		from, err = zstd.NewReader(from)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatalf("%s: %v", encoding, err)
	}
	return string(text)
}

func TestCompressedPagesUnpackToThePage(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("<li>Butter Croissant $5.50</li>", 500)
	for _, encoding := range []string{"br", "zstd", "gzip", ""} {
		var wait sync.WaitGroup
		for range 8 { // encoders are reused, and must not remember the previous page
			wait.Go(func() {
				packed := web.Compress(nil, encoding, []byte(text))
				if encoding != "" && len(packed) > len(text)/10 {
					t.Errorf("%s: %d bytes for a page of %d", encoding, len(packed), len(text))
				}
				if got := unpack(t, encoding, packed); got != text {
					t.Errorf("%s: unpacks to %d bytes", encoding, len(got))
				}
			})
		}
		wait.Wait()
	}
}

func page(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

func TestAPageIsTheSameInEveryEncoding(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a page ", 300)
	ways := map[string]func(http.ResponseWriter, *http.Request) error{
		"rendered": func(w http.ResponseWriter, r *http.Request) error { return web.Render(w, r, http.StatusOK, page(text)) },
		"prepared": func(w http.ResponseWriter, r *http.Request) error {
			prepared, err := web.Prepare(r, page(text))
			if err != nil {
				return err
			}
			return prepared.Send(w, r)
		},
	}
	for name, send := range ways {
		for _, encoding := range []string{"br", "zstd", "gzip", ""} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				w := httptest.NewRecorder()
				r := httptest.NewRequestWithContext(t.Context(), method, "/", nil)
				r.Header.Set("Accept-Encoding", encoding)
				if err := send(w, r); err != nil {
					t.Fatal(err)
				}
				head := w.Header()
				if got := head.Get("Content-Encoding"); got != encoding {
					t.Errorf("%s %s: Content-Encoding %q, want %q", name, method, got, encoding)
				}
				if vary := strings.Join(head.Values("Vary"), ", "); vary != "HX-Request, Accept-Encoding" {
					t.Errorf("%s: Vary %q", name, vary)
				}
				if head.Get("Content-Type") != "text/html; charset=utf-8" || head.Get("Cache-Control") != "private, no-cache" || head.Get("Content-Length") == "" {
					t.Errorf("%s: headers %v", name, head)
				}
				if method == http.MethodHead {
					if w.Body.Len() != 0 {
						t.Errorf("%s: HEAD got a body", name)
					}
					continue
				}
				if got := unpack(t, encoding, w.Body.Bytes()); got != text {
					t.Errorf("%s %q: got %d bytes, want %d", name, encoding, len(got), len(text))
				}
			}
		}
	}
}

func TestAPageWithStylesIsCompressedInTwoParts(t *testing.T) {
	t.Parallel()
	for i := range 200 {
		words := make([]string, i*7)
		for k := range words {
			words[k] = strconv.FormatUint(rand.Uint64()%1000, 36)
		}
		// The second style follows the title, so it is not part of the opening.
		opening := "<!doctype html><html><head><style>" + strings.Repeat(".a{color:red}", 40*(i%3)) + strconv.Itoa(i%5) + "</style>"
		text := opening + "<title>" + strings.Join(words, " ") + "</title><style>b{}</style>"
		if got := unpack(t, "br", web.Compress(nil, "br", []byte(text))); got != text {
			t.Fatalf("%d: unpacks to %q, want %q", i, got, text)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", "br")
		kept, err := web.Prepare(r, page(text))
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		if err := kept.Send(w, r); err != nil {
			t.Fatal(err)
		}
		if got := unpack(t, "br", w.Body.Bytes()); got != text {
			t.Fatalf("%d: from the cache it unpacks to %q, want %q", i, got, text)
		}
	}
}

func TestAPageThatFailsHalfwaySendsNothing(t *testing.T) {
	t.Parallel()
	broken := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, _ = io.WriteString(w, "half a page")
		return io.ErrClosedPipe
	})
	w := httptest.NewRecorder()
	if err := web.Render(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), http.StatusOK, broken); err == nil || w.Body.Len() > 0 {
		t.Errorf("%v, %q", err, w.Body)
	}
	if _, err := web.Prepare(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), broken); err == nil {
		t.Error("a page that failed was cached")
	}
}
