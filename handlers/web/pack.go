package web

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/andybalholm/brotli/matchfinder"
)

const (
	matchBits  = 13 // of a hash
	leastMatch = 5  // bytes that are hashed; one less is still used as a match
)

// longestBlock is how much of a page is packed at once, in bytes. The format allows sixteen times as much.
const longestBlock = 1 << 20

var packers = sync.Pool{New: func() any { return new(packer) }}

// packer makes brotli streams of pages. The finders of repetitions in the library clear tables of up to a megabyte for each page, which
// takes longer than the page does. This one has a table for the size of a page, and ignores what it says of earlier pages.
type packer struct {
	table   [1 << matchBits]uint32 // where text with this hash was seen last, counted from the first page on
	before  uint32                 // bytes of earlier pages
	matches []matchfinder.Match
	encoder brotli.Encoder
}

// pack appends a stream that holds text to out.
func (p *packer) pack(out, text []byte) []byte {
	for last := false; !last; {
		block := text[:min(len(text), longestBlock)]
		text = text[len(block):]
		last = len(text) == 0
		p.find(block)
		out = p.encoder.Encode(out, block, p.matches, last)
	}
	p.encoder.Reset() // it holds on to out
	return out
}

// find notes what repeats something earlier in text.
func (p *packer) find(text []byte) {
	if len(text) >= math.MaxUint32-int(p.before) {
		clear(p.table[:])
		p.before = 0
	}
	p.matches = p.matches[:0]
	emitted, last := 0, 0 // up to where matches reach; the distance of the last one
	for at := 1; at+8 < len(text); {
		from := p.seen(text, at)
		length := common(text, from, at)
		if last > 0 && at >= last {
			if again := common(text, at-last, at); again >= leastMatch-1 && again+1 >= length {
				from, length = at-last, again
			}
		}
		if length < leastMatch-1 {
			at += 1 + (at-emitted)>>6 // faster through what does not repeat
			continue
		}
		if length < 24 && at+9 < len(text) { // one byte later there may be a longer one
			if next := p.seen(text, at+1); common(text, next, at+1) > length+1 {
				from, at = next, at+1
				length = common(text, from, at)
			}
		}
		for at > emitted && from > 0 && text[at-1] == text[from-1] {
			at, from, length = at-1, from-1, length+1
		}
		p.matches = append(p.matches, matchfinder.Match{Unmatched: at - emitted, Length: length, Distance: at - from})
		last = at - from
		emitted = at + length
		for at += 2; at < emitted && at+8 < len(text); at += 4 {
			p.seen(text, at)
		}
		at = emitted
	}
	if emitted < len(text) {
		p.matches = append(p.matches, matchfinder.Match{Unmatched: len(text) - emitted})
	}
	p.before += uint32(len(text)) //nolint:gosec // see above
}

// seen returns where in text the bytes at a position were seen last, -1 for nowhere, and notes the position.
func (p *packer) seen(text []byte, at int) int {
	const shift = 64 - 8*leastMatch
	hash := binary.LittleEndian.Uint64(text[at:]) << shift * 0x1E35A7BD1E35A7BD >> (64 - matchBits)
	found := int64(p.table[hash]) - int64(p.before)
	p.table[hash] = p.before + uint32(at) //nolint:gosec // find keeps it in range
	if found <= 0 {
		return -1
	}
	return int(found)
}

// common returns how many bytes are the same at two positions, the first of which is -1 or before the second.
func common(text []byte, from, at int) int {
	if from < 0 {
		return 0
	}
	length := 0
	for at+length+8 <= len(text) {
		if other := binary.LittleEndian.Uint64(text[from+length:]) ^ binary.LittleEndian.Uint64(text[at+length:]); other != 0 {
			return length + bits.TrailingZeros64(other)/8
		}
		length += 8
	}
	for at+length < len(text) && text[from+length] == text[at+length] {
		length++
	}
	return length
}
