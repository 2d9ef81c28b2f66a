package embedded

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"hash"
	"io"
)

// A backup ends with the SHA-256 of everything before it, in a frame that zstd skips. zstd's own checksum covers the content
// alone: a flipped bit in a frame's header can pass it.
const (
	digestHeader = "\x50\x2a\x4d\x18\x20\x00\x00\x00" // a skippable frame of 32 bytes (RFC 8878, section 3.1.2)
	digestFrame  = len(digestHeader) + sha256.Size
)

// digestWriter passes on what is written to it and computes its digest.
type digestWriter struct {
	w   io.Writer
	sum hash.Hash
}

func newDigestWriter(w io.Writer) *digestWriter { return &digestWriter{w: w, sum: sha256.New()} }

func (d *digestWriter) Write(p []byte) (int, error) {
	d.sum.Write(p)
	return d.w.Write(p)
}

// finish writes the digest.
func (d *digestWriter) finish() error {
	_, err := d.w.Write(append([]byte(digestHeader), d.sum.Sum(nil)...))
	return err
}

// digestReader returns the content before the digest and checks the digest at the end. It returns content without a digest whole and leaves
// sealed false.
type digestReader struct {
	r      *bufio.Reader
	sum    hash.Hash
	sealed bool
	rest   []byte // the end of content without a digest
	end    error  // set once everything was read
}

const digestBuffer = 64 << 10 // bytes read at once

func newDigestReader(r io.Reader) *digestReader {
	return &digestReader{r: bufio.NewReaderSize(r, digestBuffer), sum: sha256.New()}
}

// Read returns ErrNoBackup at the end if the digest differs.
func (d *digestReader) Read(p []byte) (int, error) {
	if d.end == nil {
		ahead, err := d.r.Peek(min(len(p)+digestFrame, digestBuffer))
		if n := len(ahead) - digestFrame; n > 0 {
			n = copy(p, ahead[:n])
			d.sum.Write(p[:n])
			_, err = d.r.Discard(n)
			return n, err
		}
		if err == nil {
			return 0, nil // p is empty
		}
		d.end = d.finish(ahead, err)
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	if n > 0 {
		return n, nil
	}
	return 0, d.end
}

func (d *digestReader) finish(last []byte, err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	stored, sealed := bytes.CutPrefix(last, []byte(digestHeader))
	if !sealed || len(last) != digestFrame {
		d.rest = bytes.Clone(last)
		return io.EOF
	}
	if subtle.ConstantTimeCompare(stored, d.sum.Sum(nil)) != 1 {
		return fmt.Errorf("%w: its checksum differs", ErrNoBackup)
	}
	d.sealed = true
	return io.EOF
}
