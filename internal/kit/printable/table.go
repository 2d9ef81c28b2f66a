package printable

import (
	"bytes"
	"encoding/csv"
	"errors"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"forecourt/internal/kit/fault"
)

// windows1252 is the encoding of a CSV file that spreadsheets save without asking. No file says that it has it.
const windows1252 = "Windows-1252"

// Why a file is not a table. The words are for the person who sent it.
var (
	ErrWorkbook = fault.New(fault.Invalid, "This file is a spreadsheet, not CSV. Save it as “CSV UTF-8” and choose that file.")
	ErrEncoding = fault.New(fault.Invalid,
		"The letters of this file are in another encoding than UTF-8 or UTF-16, perhaps Windows-1252. Save it as “CSV UTF-8”.")
	ErrLost = fault.New(fault.Invalid,
		"Letters were lost when this file was saved: it has � in their place. Save the original as “CSV UTF-8”.")
	ErrCells = fault.New(fault.Invalid, "This table is too large.")
)

// IsUnread reports whether Decode refused a file.
func IsUnread(err error) bool {
	return errors.Is(err, ErrWorkbook) || errors.Is(err, ErrEncoding) || errors.Is(err, ErrLost)
}

// Decode returns a file as UTF-8 without a byte order mark, with its lines ended by line feeds at least. assumed is "Windows-1252" if the
// file is in that, for all that can be told; it is "" for UTF-8 and UTF-16. Errors: ErrWorkbook, ErrEncoding, ErrLost.
func Decode(file []byte) (text []byte, assumed string, err error) {
	var from encoding.Encoding
	low, high := nulls(file)
	switch {
	case bytes.HasPrefix(file, []byte("PK\x03\x04")), bytes.HasPrefix(file, []byte("\xd0\xcf\x11\xe0")):
		return nil, "", ErrWorkbook
	case bytes.HasPrefix(file, []byte("\xff\xfe")), low == 0 && high > len(file)/4:
		from = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(file, []byte("\xfe\xff")), high == 0 && low > len(file)/4:
		from = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case low+high > 0:
		return nil, "", ErrEncoding
	case utf8.Valid(file):
		from = encoding.Nop
	case manyBytes(file): // a part of it is UTF-8
		return nil, "", ErrEncoding
	default:
		from, assumed = charmap.Windows1252, windows1252
	}
	text, err = from.NewDecoder().Bytes(file)
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case err != nil:
		return nil, "", ErrEncoding
	case bytes.ContainsRune(text, utf8.RuneError) && from == encoding.Nop:
		return nil, "", ErrLost
	case bytes.ContainsRune(text, utf8.RuneError):
		return nil, "", ErrEncoding
	case !bytes.ContainsRune(text, '\n'):
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n")) // as old spreadsheets end lines
	}
	return text, assumed, nil
}

// nulls counts the zero bytes at even and at odd places. UTF-16 has many at one of them.
func nulls(file []byte) (even, odd int) {
	for i, c := range file {
		if c == 0 {
			even, odd = even+1-i%2, odd+i%2
		}
	}
	return even, odd
}

// manyBytes reports whether text has a letter of several bytes in UTF-8.
func manyBytes(text []byte) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if size > 1 && r != utf8.RuneError {
			return true
		}
		text = text[size:]
	}
	return false
}

// mostCells is how many cells a table may have. The largest menu that is one has a third of it.
const mostCells = 1 << 20

// Table reads a file as CSV. Its separator is that of a first line such as sep=;, which is emptied, or else the comma, semicolon or tab
// that is the most frequent in the first line. Rows may differ in length. Errors: those of Decode, ErrCells.
func Table(file []byte) (rows *csv.Reader, text []byte, assumed string, err error) {
	text, assumed, err = Decode(file)
	if err != nil {
		return nil, nil, "", err
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	comma := separator(bytes.TrimLeft(text, "\r\n"))
	if named := bytes.Trim(first, "\"\r"); len(named) == len("sep=;") && bytes.EqualFold(named[:4], []byte("sep=")) {
		comma, text = rune(named[4]), append([]byte("\n"), rest...)
	}
	if bytes.Count(text, []byte(string(comma))) > mostCells {
		return nil, nil, "", ErrCells
	}
	rows = csv.NewReader(bytes.NewReader(text))
	rows.Comma, rows.FieldsPerRecord = comma, -1
	return rows, text, assumed, nil
}

func separator(text []byte) rune {
	count, quoted := map[rune]int{}, false
	for _, c := range string(text[:min(len(text), 4096)]) {
		if c == '\n' && !quoted {
			break
		}
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			count[c]++
		}
	}
	best := ','
	for _, c := range []rune{';', '\t'} {
		if count[c] > count[best] {
			best = c
		}
	}
	return best
}
