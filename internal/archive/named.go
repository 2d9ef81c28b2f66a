package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Every file ends, within its encryption, in a frame that holds the name that it was stored under, so that whoever can write to the
// archive cannot pass one file off as another. The frame is one that zstd skips. Files of earlier releases have none.
const (
	skippable   = 0x184D2A5E // RFC 8878, 3.1.2
	frameMark   = "forecourt-name-1"
	frameLength = 8 + len(frameMark) + sha256.Size
)

var errMisnamed = fmt.Errorf("%w: it was stored under another name", ErrDamaged)

// errUnnamed is returned only in archives that were begun with names.
var errUnnamed = fmt.Errorf("%w: it does not say under which name it was stored, as the other files here do", ErrDamaged)

// nameFrame returns the frame of a name.
func nameFrame(name string) []byte {
	frame := binary.LittleEndian.AppendUint32(nil, skippable)
	frame = binary.LittleEndian.AppendUint32(frame, uint32(frameLength-8))
	frame = append(frame, frameMark...)
	sum := sha256.Sum256([]byte(name))
	return append(frame, sum[:]...)
}

// namedReader reads a file without its frame. It returns an error at the end of a file with the frame of another name.
type namedReader struct {
	r     *bufio.Reader
	name  string
	rest  []byte // of a file without a frame: what is left of it
	end   error  // what follows the rest, once the end was seen
	named bool   // the frame was read
}

func newNamedReader(r io.Reader, name string) *namedReader {
	return &namedReader{r: bufio.NewReaderSize(r, 64<<10), name: name}
}

func (n *namedReader) Read(p []byte) (int, error) {
	if n.end != nil {
		return n.readRest(p)
	}
	ahead, err := n.r.Peek(frameLength + min(len(p), 32<<10))
	switch {
	case err == nil || errors.Is(err, io.EOF) && len(ahead) > frameLength:
		return n.r.Read(p[:min(len(p), len(ahead)-frameLength)])
	case !errors.Is(err, io.EOF):
		return 0, err
	}
	n.end = io.EOF
	frame := nameFrame(n.name)
	head := frame[:len(frame)-sha256.Size]
	switch {
	case bytes.Equal(ahead, frame):
		n.named = true
	case len(ahead) == frameLength && bytes.HasPrefix(ahead, head):
		n.end = errMisnamed
	default:
		n.rest = bytes.Clone(ahead)
	}
	return n.readRest(p)
}

func (n *namedReader) readRest(p []byte) (int, error) {
	if len(n.rest) == 0 {
		return 0, n.end
	}
	size := copy(p, n.rest)
	n.rest = n.rest[size:]
	return size, nil
}
