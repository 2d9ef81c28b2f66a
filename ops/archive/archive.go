// Package archive keeps a copy of the built-in database outside its machine, in a folder or a bucket: a base backup each day, and the
// write-ahead log (WAL) as it is written. Everything is sealed before it leaves, in the age format, to a recipient: only a restore needs
// the identity that opens it.
package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"forecourt/internal/kit/typed"
)

var (
	// ErrMissing means that the archive does not have a file.
	ErrMissing = errors.New("not in the archive")
	// ErrExists means that the archive has another file of that name.
	ErrExists = errors.New("the archive has another file of that name: another server writes there, or this " +
		"database was restored without looking into the archive")
	// ErrUnreadable means that a file of the archive cannot be opened.
	ErrUnreadable = errors.New("it is damaged, cut off or sealed to another recipient than this identity's")
	// ErrTooEarly means that no copy of the database is old enough.
	ErrTooEarly = errors.New("the archive does not reach back that far")
	// ErrOlder means that an earlier release made the archive.
	ErrOlder = errors.New("an earlier release made this archive, one with the setting FORECOURT_ARCHIVE_KEY: restore it with " +
		"that program, run forecourt backup FILE there, and restore FILE here")
)

// Archive is an archive to fill, which takes a recipient, or to read, which takes an identity.
type Archive struct {
	store     store
	recipient age.Recipient
	identity  age.Identity
}

// Open returns the archive at a place. The recipient or the identity may be nil.
func Open(p *Place, recipient age.Recipient, identity age.Identity) (*Archive, error) {
	s, err := p.open()
	return &Archive{store: s, recipient: recipient, identity: identity}, err
}

// seal writes to w what fill writes, sealed.
func (a *Archive) seal(w io.Writer, fill func(io.Writer) error) error {
	sealed, err := age.Encrypt(w, a.recipient)
	if err != nil {
		return err
	}
	if err := fill(sealed); err != nil {
		return err
	}
	return sealed.Close()
}

// sealLog seals a WAL file, compressed.
func (a *Archive) sealLog(w io.Writer, content []byte) error {
	return a.seal(w, func(w io.Writer) error {
		zw, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		_, err = zw.Write(content)
		return errors.Join(err, zw.Close())
	})
}

// get writes the content of a file to w.
func (a *Archive) get(ctx context.Context, name string, w io.Writer) error {
	body, err := a.store.get(ctx, name)
	if err != nil {
		return err
	}
	defer body.Close()
	plain, err := age.Decrypt(body, a.identity)
	if err == nil {
		_, err = io.Copy(w, opened{plain})
	} else {
		err = unreadable(err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// getLog returns a WAL file.
func (a *Archive) getLog(ctx context.Context, name string) ([]byte, error) {
	var packed bytes.Buffer
	if err := a.get(ctx, name, &packed); err != nil {
		return nil, err
	}
	zr, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return nil, err
	}
	defer zr.Close()
	return zr.DecodeAll(packed.Bytes(), nil)
}

// opened marks the errors of a file's reader.
type opened struct{ io.Reader }

func (o opened) Read(p []byte) (int, error) {
	n, err := o.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unreadable(err)
	}
	return n, err
}

func unreadable(err error) error { return fmt.Errorf("%w: %w", ErrUnreadable, line{err}) }

// line is an error as one short line: a bucket's service and the header of a file may say anything.
type line struct{ error }

func (l line) Error() string { return typed.OneLine(l.error.Error(), 300) }

func (l line) Unwrap() error { return l.error }
