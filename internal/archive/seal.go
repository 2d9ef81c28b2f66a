package archive

import (
	"errors"
	"fmt"
	"io"

	"filippo.io/age"

	"forecourt/internal/printable"
	"forecourt/internal/secret"
)

// workFactor is the logarithm of scrypt's work factor: 1 MB and a few milliseconds for each file. The key is 32 random bytes, which nobody
// guesses however fast a guess is. Files with a larger factor are refused: this program does not write them.
const workFactor = 10

// ErrDamaged means that a file of the archive is damaged, cut off, or encrypted with another key.
var ErrDamaged = errors.New("it is damaged, or FORECOURT_ARCHIVE_KEY is not the key that it was written with")

// seal returns a writer that encrypts to w. Close writes the end, without which the file cannot be decrypted.
func seal(w io.Writer, key secret.Text) (io.WriteCloser, error) {
	r, err := age.NewScryptRecipient(key.Reveal())
	if err != nil {
		return nil, err
	}
	r.SetWorkFactor(workFactor)
	return age.Encrypt(w, r)
}

// unseal returns a reader that decrypts r. Its reads return ErrDamaged if the file is not whole.
func unseal(r io.Reader, key secret.Text) (io.Reader, error) {
	id, err := age.NewScryptIdentity(key.Reveal())
	if err != nil {
		return nil, err
	}
	id.SetMaxWorkFactor(workFactor)
	plain, err := age.Decrypt(r, id)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, brief{err})
	}
	return damaged{plain}, nil
}

// brief shortens the text of an error that repeats the header of a file, which may be as long as the file.
type brief struct{ error }

func (b brief) Error() string { return printable.MakeLine(b.error.Error(), 200) }

func (b brief) Unwrap() error { return b.error }

// damaged marks the errors of a reader as ErrDamaged.
type damaged struct{ io.Reader }

func (d damaged) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return n, err
}
