package web

import (
	"bytes"
	"slices"
	"sync"

	"github.com/andybalholm/brotli"
)

// once is the brotli quality for an opening. The best would delay the first page after a start by a tenth of a second, for 3 % of its size.
const once = 6

// keptOpenings bounds how many openings are kept. A site has one for each set of stylesheets.
const keptOpenings = 64

// openings are the beginnings of pages that hold styles: half of what there is to compress, and the same for all pages with these styles.
var openings = &packedOpenings{kept: map[string][]byte{}}

type packedOpenings struct {
	mu   sync.RWMutex
	kept map[string][]byte
}

// opening returns the length of what pages with the same styles have in common: all before the title, which the head has after its
// styles. It is 0 for a page without styles.
func opening(page []byte) int {
	end := bytes.Index(page, []byte("<title>"))
	if end < 0 || !bytes.HasSuffix(page[:end], []byte("</style>")) {
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

// continued turns a brotli stream of brotli.Encoder into the rest of another one, by taking away the four bits of its header. The stream refers to
// nothing before itself: neither to text nor to a last distance.
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
