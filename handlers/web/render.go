package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/a-h/templ"

	"forecourt/views/ui"
)

// buffers hold a page until it is complete, so that an error half-way does not leave half a page with status 200. Others hold its
// compressed form.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render answers with a page, or with the fragments of it that htmx wants to swap.
func Render(w http.ResponseWriter, r *http.Request, status int, page templ.Component, fragments ...any) error {
	header := w.Header()
	header.Add("Vary", "HX-Request")
	if len(fragments) > 0 && r.Header.Get("HX-Request") == "true" {
		page = fragmentsOf(page, fragments)
	}
	body, packed := buffers.Get().(*bytes.Buffer), buffers.Get().(*bytes.Buffer)
	defer func() { buffers.Put(body); buffers.Put(packed) }()
	body.Reset()
	if err := page.Render(r.Context(), body); err != nil {
		return err
	}
	holdStyles(w, ui.Of(r.Context()).Styles.Rendered())
	if !takesGzip(r) {
		return write(w, r, status, "", body.Bytes())
	}
	packed.Reset()
	pack(packed, body.Bytes())
	return write(w, r, status, "gzip", packed.Bytes())
}

func fragmentsOf(page templ.Component, fragments []any) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return templ.RenderFragments(ctx, w, page, fragments...)
	})
}

func write(w http.ResponseWriter, r *http.Request, status int, encoding string, body []byte) error {
	header := w.Header()
	header.Add("Vary", "Accept-Encoding")
	header.Set("Content-Type", "text/html; charset=utf-8")
	if header.Get("Cache-Control") == "" {
		// This is not no-store, because the back button should show a menu at once. Pages about money set no-store themselves.
		header.Set("Cache-Control", "private, no-cache")
	}
	if encoding != "" {
		header.Set("Content-Encoding", encoding)
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // it fails only if the reader has gone
	}
	return nil
}

// Download answers with a file to save. name must not contain quotes.
func Download(w http.ResponseWriter, media, name string, file []byte) {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = w.Write(file) // it fails only if the reader has gone
}
