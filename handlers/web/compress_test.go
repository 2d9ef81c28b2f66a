package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/a-h/templ"

	"forecourt/handlers/web"
	"forecourt/internal/must"
)

// unpack undoes a content encoding.
func unpack(t *testing.T, encoding string, body []byte) string {
	t.Helper()
	if encoding == "" {
		return string(body)
	}
	from, err := gzip.NewReader(bytes.NewReader(body))
	must.NoError(t, err)
	text, err := io.ReadAll(from)
	must.NoError(t, err)
	return string(text)
}

func TestPackedPagesUnpackToThePage(t *testing.T) {
	t.Parallel()
	var wait sync.WaitGroup
	for n := range 8 { // packers are reused, and must not remember the previous page
		wait.Go(func() {
			text := strings.Repeat("<li>Butter Croissant $"+strconv.Itoa(n)+"</li>", 500)
			w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
			if err := web.Render(w, r, http.StatusOK, page(text)); err != nil {
				t.Error(err)
			}
			if w.Body.Len() > len(text)/10 {
				t.Errorf("%d bytes for a page of %d", w.Body.Len(), len(text))
			}
			if got := unpack(t, "gzip", w.Body.Bytes()); got != text {
				t.Errorf("unpacks to %d bytes", len(got))
			}
		})
	}
	wait.Wait()
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
		for _, encoding := range []string{"gzip", ""} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				w := httptest.NewRecorder()
				r := httptest.NewRequestWithContext(t.Context(), method, "/", nil)
				r.Header.Set("Accept-Encoding", encoding)
				must.NoError(t, send(w, r))
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
