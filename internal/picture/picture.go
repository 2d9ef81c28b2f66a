// Package picture accepts photos from strangers: it identifies them by their content, turns them upright, scales them down as
// needed and encodes them anew, so that nothing remains of the uploaded file except what can be seen.
package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"
)

// The limits of what is accepted and written.
const (
	MaxBytes  = 10 << 20   // of a file
	MaxPixels = 40_000_000 // of a picture, read from its header before anything is unpacked
	MaxSide   = 2400       // pixels of the longer side of what is written
	quality   = 85         // of the JPEG that is written
)

// Why a file is not accepted. The person who sent it can correct each of these.
var (
	ErrBytes  = errors.New("the file has more than 10 MiB")
	ErrPixels = errors.New("the picture has more than 40 megapixels")
	ErrHEIC   = errors.New("HEIC is not taken")
	ErrKind   = errors.New("neither JPEG nor PNG nor WebP")
	ErrBroken = errors.New("the file is damaged or not whole")
)

// Refused reports whether an error is about the file that was sent, and not about the program.
func Refused(err error) bool {
	for _, known := range []error{ErrBytes, ErrPixels, ErrHEIC, ErrKind, ErrBroken} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// Studio rewrites photos, a few at a time.
type Studio struct {
	room *semaphore.Weighted // pixels that may be in memory at once: those of the largest picture, or of some smaller ones
}

// NewStudio returns a Studio; a program needs one, or its memory is bounded more than once.
func NewStudio() *Studio { return &Studio{room: semaphore.NewWeighted(MaxPixels)} }

// Rewrite makes a JPEG of a photo: upright, at most MaxSide pixels long, without anything that is not visible. It waits for its
// turn until ctx ends. Errors: those above.
func (s *Studio) Rewrite(ctx context.Context, file []byte) ([]byte, error) {
	if len(file) > MaxBytes {
		return nil, ErrBytes
	}
	read, size, err := identify(file)
	if err != nil {
		return nil, err
	}
	if err := s.room.Acquire(ctx, size); err != nil {
		return nil, err
	}
	defer s.room.Release(size)
	img, err := read(bytes.NewReader(file))
	if err != nil {
		return nil, ErrBroken
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, upright(shrink(img), orientation(file)), &jpeg.Options{Quality: quality})
	return out.Bytes(), err
}

// identify determines by its content a file's format, its decoder and its number of pixels.
func identify(file []byte) (read func(io.Reader) (image.Image, error), pixels int64, err error) {
	var header func(io.Reader) (image.Config, error)
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xd8\xff")):
		read, header = jpeg.Decode, jpeg.DecodeConfig
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
		read, header = png.Decode, png.DecodeConfig
	case len(file) > 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP":
		read, header = webp.Decode, webp.DecodeConfig
	case len(file) > 12 && string(file[4:8]) == "ftyp":
		return nil, 0, ErrHEIC // and its kin
	default:
		return nil, 0, ErrKind
	}
	config, err := header(bytes.NewReader(file))
	switch {
	case err != nil, config.Width < 1, config.Height < 1:
		return nil, 0, ErrBroken
	case int64(config.Width)*int64(config.Height) > MaxPixels:
		return nil, 0, ErrPixels
	}
	return read, int64(config.Width) * int64(config.Height), nil
}
