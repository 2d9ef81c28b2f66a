package printable_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/printable"
)

const cafe = "name;price\nCafé au lait;4,50 €\nCrème Caramel;“9”\n"

func TestATableIsReadInTheEncodingThatItHas(t *testing.T) {
	t.Parallel()
	encode := func(text string, to interface {
		String(s string) (string, error)
	}) string {
		t.Helper()
		made, err := to.String(text)
		check.Must(t, err)
		return made
	}
	for name, one := range map[string]struct{ file, assumed string }{
		"UTF-8":                                 {cafe, ""},
		"UTF-8 with a mark":                     {"\ufeff" + cafe, ""},
		"UTF-16LE with a mark":                  {encode(cafe, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder()), ""},
		"UTF-16BE with a mark":                  {encode(cafe, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder()), ""},
		"UTF-16LE without a mark":               {encode(cafe, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder()), ""},
		"UTF-16BE without a mark":               {encode(cafe, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder()), ""},
		"Windows-1252, as Excel's plain CSV is": {encode(cafe, charmap.Windows1252.NewEncoder()), "Windows-1252"},
		"CR alone, as old spreadsheets write":   {strings.ReplaceAll(cafe, "\n", "\r"), ""},
		"Windows-1252 with CR alone":            {strings.ReplaceAll(encode(cafe, charmap.Windows1252.NewEncoder()), "\n", "\r"), "Windows-1252"},
		"sep=;":                                 {"sep=;\n" + cafe, ""},
		"sep=; in quotes, with a mark and CRLF": {"\ufeff\"sep=;\"\r\n" + strings.ReplaceAll(cafe, "\n", "\r\n"), ""},
		"sep=|":                                 {"sep=|\n" + strings.ReplaceAll(cafe, ";", "|"), ""},
		"tabs":                                  {strings.ReplaceAll(cafe, ";", "\t"), ""},
	} {
		rows, _, assumed, err := printable.Table([]byte(one.file))
		check.Must(t, err, name)
		got, err := rows.ReadAll()
		check.NoError(t, err, name)
		var cells []string
		for _, row := range got {
			cells = append(cells, row...)
		}
		check.Equal(t, strings.Join(cells, "|"), "name|price|Café au lait|4,50 €|Crème Caramel|“9”", "%s", name)
		check.Equal(t, assumed, one.assumed, "%s: what is assumed", name)
	}
}

func TestNoTableLosesALetter(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		file string
		want error
	}{
		"a workbook":                          {"PK\x03\x04\x14\x00", printable.ErrWorkbook},
		"an old workbook":                     {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", printable.ErrWorkbook},
		"letters that Windows-1252 lacks":     {"name,price\nCaf\x81,4\n", printable.ErrEncoding},
		"partly UTF-8":                        {"name,price\nCafé,4\nCaf\xe9,4\n", printable.ErrEncoding},
		"UTF-16 that breaks off in a pair":    {"\xff\xfea\x00\x3d\xd8", printable.ErrEncoding},
		"zero bytes":                          {"name,price\nCafe\x00,4\n", printable.ErrEncoding},
		"UTF-8 in which letters were lost":    {"name,price\nCaf\ufffd,4\n", printable.ErrLost},
		"a million cells":                     {strings.Repeat(",", 1<<20+1), printable.ErrCells},
		"a million cells that sep= announces": {"sep=|\n" + strings.Repeat("|", 1<<20+1), printable.ErrCells},
	} {
		_, _, _, err := printable.Table([]byte(one.file))
		check.ErrorIs(t, err, one.want, "%s", name)
	}
	if _, text, _, err := printable.Table([]byte(strings.Repeat("a,b\n", 1<<19))); errors.Is(err, printable.ErrCells) || len(text) == 0 {
		t.Errorf("many rows: %v", err)
	}
}
