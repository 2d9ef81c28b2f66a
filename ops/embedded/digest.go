package embedded

import (
	"crypto/sha256"
	"io"
	"strings"
)

// A backup ends with the SHA-256 of everything before it, in a frame that zstd skips. zstd's own checksum covers the content
// alone: a flipped bit in a frame's header can pass it.
const (
	digestHeader = "\x50\x2a\x4d\x18\x20\x00\x00\x00" // a skippable frame of 32 bytes (RFC 8878, section 3.1.2)
	digestFrame  = len(digestHeader) + sha256.Size
)

// cutDigest returns the content of a backup before its digest, and the digest. It returns a backup without a digest whole.
func cutDigest(r io.ReadSeeker) (content io.Reader, digest string, err error) {
	end, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, "", err
	}
	frame := make([]byte, min(end, int64(digestFrame)))
	if _, err := r.Seek(-int64(len(frame)), io.SeekEnd); err != nil {
		return nil, "", err
	}
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, "", err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, "", err
	}
	digest, found := strings.CutPrefix(string(frame), digestHeader)
	if !found || len(frame) < digestFrame {
		return r, "", nil
	}
	return io.LimitReader(r, end-int64(digestFrame)), digest, nil
}
