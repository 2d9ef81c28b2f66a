package legal

import (
	"bufio"
	"fmt"
	"io"
	"unicode/utf8"

	"forecourt/internal/kit/fault"
)

// PageSize is how many Unicode characters a page holds (DOC-14).
const PageSize = 800_000

// TextError is a byte that cannot be stored as text. Its code is fault.Invalid.
type TextError struct {
	Offset int64 // of the byte, from 0
	NUL    bool  // the byte is NUL, which the database cannot store; otherwise it is not UTF-8
}

func (e *TextError) Error() string {
	if e.NUL {
		return fmt.Sprintf("nothing was saved: byte %d, counted from 0, is NUL, which no text holds", e.Offset)
	}
	return fmt.Sprintf("nothing was saved: the text is not UTF-8 at byte %d, counted from 0", e.Offset)
}

// Unwrap makes it fault.Invalid.
func (e *TextError) Unwrap() error { return fault.New(fault.Invalid, "not a text") }

// pager cuts a text into pages.
type pager struct {
	r                 *bufio.Reader
	page              []byte // kept, so that every page has the same memory
	characters, bytes int64  // read so far
}

func newPager(r io.Reader) *pager { return &pager{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns the next page, or io.EOF after the last. It never splits a character. Errors: TextError, and those of the reader.
func (p *pager) next() (string, error) {
	p.page = p.page[:0]
	for range PageSize {
		char, size, err := p.r.ReadRune()
		switch {
		case err == io.EOF && len(p.page) > 0: //nolint:errorlint // ReadRune returns it as it is
			return string(p.page), nil
		case err != nil:
			return "", err
		case char == utf8.RuneError && size == 1:
			return "", &TextError{Offset: p.bytes}
		case char == 0:
			return "", &TextError{Offset: p.bytes, NUL: true}
		}
		p.page = utf8.AppendRune(p.page, char)
		p.characters++
		p.bytes += int64(size)
	}
	return string(p.page), nil
}
