package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// quick is the brotli quality for pages made on request: more takes longer than a slow phone gains from it.
const quick = 5

// preference orders the encodings by the size of what they make.
var preference = []string{"br", "zstd", "gzip"}

// Encoding picks the best content encoding that an Accept-Encoding header allows, "" for none.
func Encoding(accept string) string {
	if accept == "" {
		return ""
	}
	allowed := map[string]bool{}
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(part, ";")
		quality := 1.0
		if _, q, ok := strings.Cut(params, "q="); ok {
			quality, _ = strconv.ParseFloat(strings.TrimSpace(q), 64)
		}
		allowed[strings.ToLower(strings.TrimSpace(name))] = quality > 0
	}
	for _, name := range preference {
		if ok, named := allowed[name]; ok || !named && allowed["*"] {
			return name
		}
	}
	return ""
}

type resetWriter interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// pools keep encoders, each of which holds megabytes of tables.
var pools = map[string]*sync.Pool{
	"br": {New: func() any { return brotli.NewWriterLevel(nil, quick) }},
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

// Compress returns body in an encoding that Encoding returned.
func Compress(encoding string, body []byte) []byte {
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
