package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"forecourt/static"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// quick is the brotli level for pages made on request: more takes longer than a slow phone gains from it.
const quick = 1

// preference orders the encodings by the size of what they make.
var preference = []string{"br", "zstd", "gzip"}

// Encoding returns the encoding for the answer to r, "" for none.
func Encoding(r *http.Request) string {
	return static.Encoding(strings.Join(r.Header.Values("Accept-Encoding"), ","), preference)
}

type resetWriter interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// pools keep encoders, each of which holds large tables.
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

// Compress appends body to out, in one of the encodings of preference or as it is. The opening of a page that holds styles is compressed
// once.
func Compress(out []byte, encoding string, body []byte) []byte {
	if end := opening(body); encoding == "br" && end > 0 {
		if packed := openings.packed(body[:end]); packed != nil {
			out = append(out, packed...)
			start := len(out)
			out = compress(out, encoding, body[end:])
			return out[:start+len(continued(out[start:]))]
		}
	}
	return compress(out, encoding, body)
}

func compress(out []byte, encoding string, body []byte) []byte {
	pool := pools[encoding]
	if pool == nil {
		return append(out, body...)
	}
	encoder := pool.Get().(resetWriter)
	defer pool.Put(encoder)
	buffer := bytes.NewBuffer(out)
	encoder.Reset(buffer)
	// Writing to memory cannot fail.
	_, _ = encoder.Write(body)
	_ = encoder.Close()
	return buffer.Bytes()
}

// once is the brotli quality for an opening. It takes 25 ms of the first page after a start, and makes an opening 4 % smaller than 6 would in
// 2 ms. The best would take twice as long, for another 3 %.
const once = 10

// keptOpenings bounds how many openings are kept. A site has one for each set of stylesheets.
const keptOpenings = 64

// openings are the beginnings of pages that hold styles: half of what there is to compress, and the same for all pages with these styles.
var openings = &packedOpenings{kept: map[string][]byte{}}

type packedOpenings struct {
	mu   sync.RWMutex
	kept map[string][]byte
}

// opening returns the length of what pages with the same styles have in common: all before the title, which the head has after its
// styles and their files. It is 0 for a page without styles.
func opening(page []byte) int {
	end := bytes.Index(page, []byte("<title>"))
	if end < 0 || !bytes.Contains(page[:end], []byte("</style>")) {
		return 0
	}
	return end
}

// packed returns the start of a brotli stream that holds an opening, which must not be changed. It is nil if too many are kept.
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

// continued turns a brotli stream of the quick encoder into the rest of another one, by taking away the four bits of its header. That
// encoder refers to nothing before its stream: neither to text nor to a last distance.
func continued(stream []byte) []byte {
	for i := range stream {
		stream[i] >>= 4
		if i+1 < len(stream) {
			stream[i] |= stream[i+1] << 4
		}
	}
	if last := len(stream) - 1; stream[last] == 0 { // the end is a one
		stream = stream[:last]
	}
	return stream
}
