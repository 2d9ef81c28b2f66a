package static

import (
	"bytes"
	_ "embed"
	"net/http"
	"sync"
)

//go:embed sw.js
var serviceWorker []byte

// worker names the icon as it was built.
var worker = sync.OnceValue(func() []byte {
	return bytes.Replace(serviceWorker, []byte("/static/img/touch-icon.png"), []byte(URL("img/touch-icon.png")), 1)
})

// ServiceWorker answers GET /sw.js: what shows push messages. It has one address forever, so browsers ask each time.
func ServiceWorker(w http.ResponseWriter, _ *http.Request) {
	header := w.Header()
	header.Set("Content-Type", contentType("sw.js"))
	header.Set("Cache-Control", "no-cache")
	_, _ = w.Write(worker()) // it fails only if the reader has gone
}
