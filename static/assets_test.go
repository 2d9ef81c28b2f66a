package static

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"forecourt/internal/kit/check"
)

func sample(t *testing.T) *assets {
	t.Helper()
	file := func(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	_, err := zip.Write([]byte("a packed text"))
	check.Must(t, errors.Join(err, zip.Close()))
	a, err := open(fstest.MapFS{
		".gitkeep":                file(""),
		"manifest.json":           file(`{"menu.js":{"path":"menu-AB.js","imports":["chunk-CD.js"],"scripts":{"menu-AB.js":"sha384-x"}},"order.js":{"path":"order-IJ.js","imports":["chunk-CD.js","react-GH.js"]}}`),
		"menu-AB.js":              file("plain plain plain"),
		"menu-AB.js.br":           file("br"),
		"menu-AB.js.gz":           file("gzip!"),
		"packed-EF.js.br":         file("br"),
		"packed-EF.js.gz":         file(zipped.String()),
		"img/logo/cup-12.svg":     file("<svg/>"),
		"img/logo/cup-12.svg.gz":  file("<z/>"),
		"img/logo/photo-34.webp":  file("webp"),
		"img/logo/odd-56.unknown": file("?"),
	})
	check.Must(t, err)
	return a
}

func TestNames(t *testing.T) {
	t.Parallel()
	a := sample(t)
	check.Equal(t, a.url("menu.js"), "/static/menu-AB.js", "url of a built name")
	check.Equal(t, a.url("nosuch.js"), "/static/nosuch.js", "url of an unknown name")
	if got := a.preload("menu.js"); len(got) != 2 || got[0] != "/static/menu-AB.js" || got[1] != "/static/chunk-CD.js" {
		t.Errorf("preload: %v", got)
	}
	if got := a.imports([]string{"/static/menu-AB.js", "/static/other.js"}); len(got) != 1 || got[0] != "/static/chunk-CD.js" {
		t.Errorf("imports: %v", got)
	}
	if got := a.soon("menu.js", "order.js"); len(got) != 1 || got[0] != "/static/react-GH.js" {
		t.Errorf("soon: %v", got)
	}
	check.List(t, a.soon("menu.js", "order.js", "pay.js", "order.js"), []string{"/static/react-GH.js", "/static/pay.js", "/static/order-IJ.js"},
		"soon, with the scripts of the next pages")
	if got := a.scripts("menu.js"); len(got) != 1 || got["/static/menu-AB.js"] != "sha384-x" {
		t.Errorf("scripts: %v", got)
	}
	empty, err := open(fstest.MapFS{".gitkeep": &fstest.MapFile{}})
	if err != nil || empty.url("menu.js") != "/static/menu.js" {
		t.Errorf("a fresh checkout without assets: %v", err)
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	a := sample(t)
	for _, tt := range []struct {
		name, method, path, accept             string
		status                                 int
		contentType, encoding, length, content string
	}{
		{"the smallest of what the browser takes", "GET", "/static/menu-AB.js", "gzip, deflate, br", 200, "text/javascript; charset=utf-8", "br", "2", "br"},
		{"a preferred encoding", "GET", "/static/menu-AB.js", "br;q=0.5, gzip;q=0.9", 200, "text/javascript; charset=utf-8", "gzip", "5", "gzip!"},
		{"a refused encoding", "GET", "/static/menu-AB.js", "br;q=0, gzip", 200, "text/javascript; charset=utf-8", "gzip", "5", "gzip!"},
		{"any encoding", "GET", "/static/menu-AB.js", "*", 200, "text/javascript; charset=utf-8", "br", "2", "br"},
		{"any but one", "GET", "/static/menu-AB.js", "*, br;q=0", 200, "text/javascript; charset=utf-8", "gzip", "5", "gzip!"},
		{"broken q-values refuse", "GET", "/static/menu-AB.js", "br;q=x, GZIP;Q=1", 200, "text/javascript; charset=utf-8", "gzip", "5", "gzip!"},
		{"nothing accepted", "GET", "/static/menu-AB.js", "", 200, "text/javascript; charset=utf-8", "", "17", "plain plain plain"},
		{"everything refused", "GET", "/static/menu-AB.js", "identity;q=0, *;q=0", 200, "text/javascript; charset=utf-8", "", "17", "plain plain plain"},
		{"the plain file preferred", "GET", "/static/menu-AB.js", "identity, br;q=0.5", 200, "text/javascript; charset=utf-8", "", "17", "plain plain plain"},
		{"a text that was built only compressed", "GET", "/static/packed-EF.js", "", 200, "text/javascript; charset=utf-8", "", "13", "a packed text"},
		{"its compressed form", "GET", "/static/packed-EF.js", "br", 200, "text/javascript; charset=utf-8", "br", "2", "br"},
		{"its head says the length of the text", "HEAD", "/static/packed-EF.js", "", 200, "text/javascript; charset=utf-8", "", "13", ""},
		{"an encoding that was not built", "GET", "/static/img/logo/cup-12.svg", "br", 200, "image/svg+xml", "", "6", "<svg/>"},
		{"a picture in a text format", "GET", "/static/img/logo/cup-12.svg", "gzip", 200, "image/svg+xml", "gzip", "4", "<z/>"},
		{"a picture", "GET", "/static/img/logo/photo-34.webp", "br", 200, "image/webp", "", "4", "webp"},
		{"an unknown type is never sniffed", "GET", "/static/img/logo/odd-56.unknown", "", 200, "application/octet-stream", "", "1", "?"},
		{"HEAD has no body", "HEAD", "/static/menu-AB.js", "br", 200, "text/javascript; charset=utf-8", "br", "2", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := serve(a, tt.method, tt.path, tt.accept)
			head := w.Result().Header
			body, _ := io.ReadAll(w.Result().Body)
			if w.Code != tt.status || head.Get("Content-Type") != tt.contentType || head.Get("Content-Encoding") != tt.encoding ||
				head.Get("Content-Length") != tt.length || string(body) != tt.content {
				t.Errorf("got %d %v %q", w.Code, head, body)
			}
			if head.Get("Cache-Control") != "public, max-age=31536000, immutable" || head.Get("Vary") != "Accept-Encoding" ||
				head.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("got %v", head)
			}
		})
	}
}

func TestServeRefuses(t *testing.T) {
	t.Parallel()
	a := sample(t)
	for _, path := range []string{
		"/static/", "/static/nosuch.js", "/static/img", "/static/img/", "/static/img/logo/", "/static/manifest.json",
		"/static/.gitkeep", "/static/menu-AB.js.br", "/static/../assets.go", "/static//menu-AB.js",
	} {
		w := serve(a, "GET", path, "br")
		if w.Code != http.StatusNotFound || w.Result().Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
			w.Result().Header.Get("Cache-Control") != "" {
			t.Errorf("%s: got %d %v", path, w.Code, w.Result().Header)
		}
	}
	check.Equal(t, serve(a, "POST", "/static/menu-AB.js", "").Code, http.StatusMethodNotAllowed, "POST")
}

func serve(h http.Handler, method, path, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = path
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
