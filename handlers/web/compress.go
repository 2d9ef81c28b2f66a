package web

import (
	"bytes"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"forecourt/static"
)

// packLevel packs a page as small as brotli's quick levels do, in less time. A higher one saves a hundredth for a third more.
const packLevel = 5

// packers keep packers for reuse, because each has large tables.
var packers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, packLevel)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// takesGzip reports whether the sender of a request takes gzip. All browsers do.
func takesGzip(r *http.Request) bool {
	return static.Encoding(strings.Join(r.Header.Values("Accept-Encoding"), ","), []string{"gzip"}) != ""
}

// pack writes a page to out, packed by gzip.
func pack(out *bytes.Buffer, page []byte) {
	w := packers.Get().(*gzip.Writer)
	defer packers.Put(w)
	w.Reset(out)
	// Writing to memory cannot fail.
	_, _ = w.Write(page)
	_ = w.Close()
}
