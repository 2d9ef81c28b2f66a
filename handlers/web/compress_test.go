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
	"forecourt/internal/kit/check"
)

// unpack undoes a content encoding.
func unpack(t *testing.T, encoding string, body []byte) string {
	t.Helper()
	if encoding == "" {
		return string(body)
	}
	from, err := gzip.NewReader(bytes.NewReader(body))
	check.Must(t, err)
	text, err := io.ReadAll(from)
	check.Must(t, err)
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
			check.NoError(t, web.Render(w, r, http.StatusOK, page(text)))
			if w.Body.Len() > len(text)/10 {
				t.Errorf("%d bytes for a page of %d", w.Body.Len(), len(text))
			}
			got := unpack(t, "gzip", w.Body.Bytes())
			check.Equal(t, got, text, "unpacks to %d bytes", len(got))
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
		for accept, encoding := range map[string]string{
			"gzip, deflate, br, zstd": "gzip", "*": "gzip", "br;q=0, gzip;q=0.1": "gzip", "br": "", "*;q=0": "", "": "", "identity": "",
		} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				w := httptest.NewRecorder()
				r := httptest.NewRequestWithContext(t.Context(), method, "/", nil)
				r.Header.Set("Accept-Encoding", accept)
				check.Must(t, send(w, r))
				head := w.Header()
				check.Equal(t, head.Get("Content-Encoding"), encoding, "%s %s: Content-Encoding", name, method)
				check.Equal(t, strings.Join(head.Values("Vary"), ", "), "HX-Request, Accept-Encoding", "%s: Vary", name)
				if head.Get("Content-Type") != "text/html; charset=utf-8" || head.Get("Cache-Control") != "private, no-cache" || head.Get("Content-Length") == "" {
					t.Errorf("%s: headers %v", name, head)
				}
				if method == http.MethodHead {
					check.Equal(t, w.Body.Len(), 0, "%s: HEAD got a body", name)
					continue
				}
				got := unpack(t, encoding, w.Body.Bytes())
				check.Equal(t, got, text, "%s %q: got %d bytes, want %d", name, encoding, len(got), len(text))
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
	_, err := web.Prepare(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), broken)
	check.Error(t, err, "a page that failed was cached")
}
