package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"forecourt/static"
)

// These are the brotli levels for pages made on request, where a higher level takes longer than even a slow phone would gain, and for pages
// that are kept: 3 % smaller, for half as much time again.
const (
	quick   = 1
	lasting = 3
)

// preference orders the encodings by the size of their output.
var preference = []string{"br", "zstd", "gzip"}

// Encoding returns the encoding for the answer to r, "" for none.
func Encoding(r *http.Request) string {
	return static.Encoding(strings.Join(r.Header.Values("Accept-Encoding"), ","), preference)
}

type resetWriter interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// pools keep encoders for reuse, because each has large tables.
var pools = map[string]*sync.Pool{
	"br": brotliAt(quick),
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

// lastingly keeps encoders for pages that are kept.
var lastingly = brotliAt(lasting)

func brotliAt(level int) *sync.Pool {
	return &sync.Pool{New: func() any { return brotli.NewWriterV2(nil, level) }}
}

// Compress appends body to out, in one of the encodings of preference or unchanged. It compresses the opening of a page that contains
// styles only once.
func Compress(out []byte, encoding string, body []byte) []byte {
	return compress(out, encoding, pools[encoding], body)
}

func compress(out []byte, encoding string, encoders *sync.Pool, body []byte) []byte {
	if end := opening(body); encoding == "br" && end > 0 {
		if packed := openings.packed(body[:end]); packed != nil {
			out = append(out, packed...)
			start := len(out)
			out = encode(out, encoders, body[end:])
			return out[:start+len(continued(out[start:]))]
		}
	}
	return encode(out, encoders, body)
}

// encode appends body to out, encoded by one of the encoders; nil stands for none.
func encode(out []byte, encoders *sync.Pool, body []byte) []byte {
	if encoders == nil {
		return append(out, body...)
	}
	encoder := encoders.Get().(resetWriter)
	defer encoders.Put(encoder)
	buffer := bytes.NewBuffer(out)
	encoder.Reset(buffer)
	// Writing to memory cannot fail.
	_, _ = encoder.Write(body)
	_ = encoder.Close()
	return buffer.Bytes()
}

// once is the brotli quality for an opening. It takes 25 ms at the first page after a start and makes the opening 4 % smaller than quality
// 6, which takes 2 ms. The best quality would take twice as long for another 3 %.
const once = 10

// keptOpenings limits how many openings are kept. A site has one for each set of stylesheets.
const keptOpenings = 64

// openings are the compressed beginnings of pages that contain styles. An opening is half of such a page and the same for all pages with
// these styles.
var openings = &packedOpenings{kept: map[string][]byte{}}

type packedOpenings struct {
	mu   sync.RWMutex
	kept map[string][]byte
}

// opening returns the length of the part that pages with the same styles have in common: everything before the title, which follows the
// styles and files in the head. It is 0 for a page without styles.
func opening(page []byte) int {
	end := bytes.Index(page, []byte("<title>"))
	if end < 0 || !bytes.Contains(page[:end], []byte("</style>")) {
		return 0
	}
	return end
}

// packed returns the start of a brotli stream, which holds an opening. The caller must not change it. It is nil if too many are kept.
func (p *packedOpenings) packed(text []byte) []byte {
	p.mu.RLock()
	found, full := p.kept[string(text)], len(p.kept) >= keptOpenings
	p.mu.RUnlock()
	if found != nil || full {
		return found
	}
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, once)
	_, _ = w.Write(text) // writing to memory cannot fail
	_ = w.Flush()        // ends at a whole byte
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept[string(text)] = slices.Clip(out.Bytes())
	return p.kept[string(text)]
}

// continued turns a brotli stream of such an encoder into the rest of another stream by removing its header of four bits. That works
// because the encoder refers to nothing before its own stream, neither to text nor to a last distance.
func continued(stream []byte) []byte {
	for i := range stream {
		stream[i] >>= 4
		if i+1 < len(stream) {
			stream[i] |= stream[i+1] << 4
		}
	}
	if last := len(stream) - 1; stream[last] == 0 { // the stream ends with a 1 bit
		stream = stream[:last]
	}
	return stream
}
