package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"forecourt/internal/archive/store"
)

// PutLog stores a file of the log. If the archive has the file already, the two have to be the same: after a crash PostgreSQL archives some
// files again.
func (a *Archive) PutLog(ctx context.Context, name, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	err = a.get(ctx, logName(name), func(r io.Reader) error { return same(r, f) })
	if !errors.Is(err, ErrMissing) {
		return err
	}
	return a.put(ctx, func() (string, error) { return logName(name), nil }, func(w io.Writer) error {
		zw, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
		if err != nil {
			return err
		}
		_, err = io.Copy(zw, f)
		return errors.Join(err, zw.Close())
	})
}

// same compares a compressed file with one that is not.
func same(packed, plain io.Reader) error {
	zr, err := newDecoder(packed)
	if err != nil {
		return err
	}
	defer zr.Close()
	one, other := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(zr, one)
		m, otherErr := io.ReadFull(plain, other)
		switch {
		case errors.Is(err, ErrDamaged):
			return err
		case !bytes.Equal(one[:n], other[:m]):
			return ErrOther
		case err != nil && otherErr != nil:
			return nil
		}
	}
}

func newDecoder(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
}

// GetLog writes a file of the log to w. It returns ErrMissing if the archive does not have it.
func (a *Archive) GetLog(ctx context.Context, name string, w io.Writer) error {
	return a.get(ctx, logName(name), func(r io.Reader) error {
		zr, err := newDecoder(r)
		if err != nil {
			return err
		}
		defer zr.Close()
		if _, err := io.Copy(w, zr); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		return nil
	})
}

// log lists the segments of a timeline, in order, up to the newest that the key decrypts: anybody who can add files can choose their names, and a
// name far ahead would look like a gap. A file that cannot be read now counts, because a restore must not end before it. unfit says why newer
// files do not count, the newest first.
func (a *Archive) log(ctx context.Context, timeline string) (names []string, unfit []error, err error) {
	entries, err := a.store.List(ctx, logFolder)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if name := parseLog(e); isSegment(name) && strings.HasPrefix(name, timeline) {
			names = append(names, name)
		}
	}
	for len(names) > 0 {
		newest := names[len(names)-1]
		err := a.get(ctx, logName(newest), func(io.Reader) error { return nil })
		if err == nil || errors.Is(err, store.ErrBroken) {
			break
		}
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrMissing) && !errors.Is(err, fs.ErrPermission) {
			return nil, nil, err
		}
		names, unfit = names[:len(names)-1], append(unfit, err)
	}
	return names, unfit, nil
}

// Gap returns the first segment that is missing between a base and the end of the log on its timeline, or "" if none is. A log without any
// segment of the base has a gap, too.
func (a *Archive) Gap(ctx context.Context, b Base) (missing string, err error) {
	names, _, err := a.log(ctx, b.timeline())
	next := b.First
	for _, name := range names {
		for name > next {
			if there, err := a.holdsLog(ctx, next); err != nil || !there {
				return next, err
			}
			next = after(next)
		}
		if name == next {
			next = after(next)
		}
	}
	if err != nil || next != b.First {
		return "", err
	}
	return next, nil
}

// holdsLog reports whether the archive has a file of the log that a list lacks: it may have been added to a folder while the folder was listed.
func (a *Archive) holdsLog(ctx context.Context, name string) (bool, error) {
	body, err := a.store.Get(ctx, logName(name))
	if errors.Is(err, ErrMissing) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, body.Close()
}
