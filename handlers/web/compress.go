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

// pools keep the encoders of all encodings but brotli. Each holds large tables.
var pools = map[string]*sync.Pool{
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
func Compress(encoding string, body []byte) []byte { return compress(encoding, body, packQuickly) }

func compress(encoding string, body []byte, pack packing) []byte {
	if encoding == "br" {
		return packBrotli(body, pack)
	}
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

func packBrotli(body []byte, pack packing) []byte {
	var packed []byte
	end := opening(body)
	if end > 0 {
		packed = openings.packed(body[:end])
	}
	if packed == nil {
		return pack(make([]byte, 0, len(body)/4+64), body)
	}
	out := make([]byte, 0, len(packed)+(len(body)-end)/2+64)
	out = pack(append(out, packed...), body[end:])
	return out[:len(packed)+len(continued(out[len(packed):]))]
}

// packing appends a brotli stream that holds text to out. The stream refers to nothing before itself; see continued.
type packing func(out, text []byte) []byte

func packQuickly(out, text []byte) []byte {
	p := packers.Get().(*packer)
	defer packers.Put(p)
	return p.pack(out, text)
}

// packKept makes streams a tenth smaller, in three times the time, for pages that are sent often.
func packKept(out, text []byte) []byte {
	to := bytes.NewBuffer(out)
	w := brotli.NewWriterV2(to, 4)
	_, _ = w.Write(text) // writing to memory cannot fail
	_ = w.Close()
	return to.Bytes()
}
