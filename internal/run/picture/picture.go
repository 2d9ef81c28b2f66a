// Package picture accepts photos from strangers: it identifies them by their content, turns them upright, scales them down as
// needed and re-encodes them, so that nothing remains of the uploaded file except what can be seen.
//
// The sender of a file decides how much work and memory its decoding takes. A Studio therefore refuses files whose headers announce too
// many pixels. It decodes all others, one at a time, in a child process of the same program, whose processor time and memory the system
// limits. The function main must call Child first.
package picture

import (
	"context"
	"errors"
	"fmt"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

// The limits of what is accepted and written.
const (
	MaxBytes    = 10 << 20   // of a file
	MaxTogether = 12 << 20   // bytes of a form with one file or several
	MaxPixels   = 40_000_000 // of a picture, read from its header before anything is unpacked
	MaxSide     = 2400       // pixels of the longer side of what is written of a document
	quality     = 85         // of the JPEG that is written

	maxMemory = 432 << 20 // bytes that a child may take: a photo of 40 megapixels decodes to 320 MiB at most
	maxTime   = 20 * time.Second
	maxCPU    = 5                // seconds of processor time, a quarter of maxTime: other work may share the processors
	maxWait   = 25 * time.Second // in line; one that is decoded already may take maxTime
)

// refusal is a reason to refuse a file. The person who sent it can correct it, and the text tells them how.
type refusal struct{ reason, text string }

func (r *refusal) Error() string { return r.text }

// Reasons to refuse a file.
var (
	ErrBytes  = &refusal{TooManyBytes, fmt.Sprintf("This file is larger than %d MB. Choose a smaller one.", MaxBytes>>20)}
	ErrPixels = &refusal{TooManyPixels, fmt.Sprintf("This picture has more than %d megapixels. Choose a smaller one.", MaxPixels/1_000_000)}
	ErrHEIC   = &refusal{
		HEIC, "This picture is in HEIC format, which browsers cannot show. Choose it on the phone that took it, or save it as JPEG first.",
	}
	ErrKind   = &refusal{OtherKind, "This file is not a JPEG, PNG or WebP picture. Save it as one of these and choose it again."}
	ErrMoving = &refusal{Moving, "This picture is animated. Choose a still one."}
	ErrBroken = &refusal{Broken, "This file is damaged or incomplete. Choose it again."}
	ErrWork   = &refusal{TooMuchWork, "This picture takes too long to read. Save it as an ordinary JPEG and choose it again."}
)

// ErrBusy means that too many pictures are waiting, or that other programs left too little of the processors. The caller may try again in
// a minute.
var ErrBusy = fault.New(fault.Busy, "Too many pictures are being sent at the moment. Choose yours again in a minute.")

// Refused reports whether an error is about the file that was sent, and not about the program. Its text is for the person who sent it.
func Refused(err error) bool {
	_, refused := errors.AsType[*refusal](err)
	return refused
}

// The problems of a file, as Reason names them.
const (
	TooManyBytes  = "too many bytes"
	TooManyPixels = "too many pixels"
	HEIC          = "heic"
	OtherKind     = "kind"
	Moving        = "moving"
	Broken        = "broken"
	TooMuchWork   = "too much work"
)

// Reason returns a short name for an error of Refused. Pages choose their words by it.
func Reason(err error) string {
	if r, refused := errors.AsType[*refusal](err); refused {
		return r.reason
	}
	return OtherKind
}

// Picture is a JPEG that was encoded here.
type Picture struct {
	JPEG          []byte
	Width, Height int // pixels
}

// Studio re-encodes photos, one at a time.
type Studio struct{ places *throttle.Places }

// NewStudio returns a Studio. A program should have only one, because each Studio has its own child.
func NewStudio() *Studio { return &Studio{throttle.NewPlaces(1, 1, maxWait)} }

// Reencode makes a JPEG for each of sides: upright, on white, with a longer side of at most that many pixels, and without metadata. It
// waits for its turn, in the lines of throttle.Whose, and stops at once when ctx ends. Errors: ErrBusy, those of Refused, the context's.
func (s *Studio) Reencode(ctx context.Context, file []byte, sides ...int) ([]Picture, error) {
	if len(file) > MaxBytes {
		return nil, ErrBytes
	}
	if err := inspect(file); err != nil {
		return nil, err
	}
	who, _ := throttle.Whose(ctx)
	_, leave, err := s.places.Enter(ctx, who...)
	if errors.Is(err, throttle.ErrFull) {
		return nil, ErrBusy
	}
	if err != nil {
		return nil, err
	}
	defer leave()
	return develop(ctx, file, maxMemory, maxCPU, maxTime, sides)
}
