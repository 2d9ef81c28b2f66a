package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"

	"forecourt/static"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// quick is the brotli level for pages made on request: more takes longer than a slow phone gains from it.
const quick = 3

// preference orders the encodings by the size of what they make.
var preference = []string{"br", "zstd", "gzip"}

// encodingFor returns the encoding for the answer to r, "" for none.
func encodingFor(r *http.Request) string {
	return static.Encoding(strings.Join(r.Header.Values("Accept-Encoding"), ","), preference)
}

type resetWriter interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// pools keep encoders, each of which holds megabytes of tables.
var pools = map[string]*sync.Pool{
	"br": {New: func() any { return brotli.NewWriterV2(nil, quick) }},
	"gzip": {New: func() any {
		w, err := gzip.NewWriterLevel(nil, gzip.DefaultCompression)
		if err != nil {
			panic(err) // the level is a constant
		}
		return w
	}},
	"zstd": {New: func() any {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(128<<10))
		if err != nil {
			panic(err) // the options are constants
		}
		return w
	}},
}

// Compress returns body in one of the encodings of preference, or as it is. The opening of a page that holds styles is compressed once.
func Compress(encoding string, body []byte) []byte {
	if end := opening(body); encoding == "br" && end > 0 {
		if packed := openings.packed(body[:end]); packed != nil {
			return append(packed, continued(compress(encoding, body[end:]))...)
		}
	}
	return compress(encoding, body)
}

func compress(encoding string, body []byte) []byte {
	pool := pools[encoding]
	if pool == nil {
		return bytes.Clone(body)
	}
	encoder := pool.Get().(resetWriter)
	defer pool.Put(encoder)
	out := bytes.NewBuffer(make([]byte, 0, len(body)/4+64))
	encoder.Reset(out)
	// Writing to memory cannot fail.
	_, _ = encoder.Write(body)
	_ = encoder.Close()
	return out.Bytes()
}
