package check

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
)

var (
	pdfStream = regexp.MustCompile(`(?s)stream\r?\n(.*?)\nendstream`) // a checksum may end with \r
	pdfShown  = regexp.MustCompile(`(?s)\(((?:\\.|[^\\)])*)\) ?Tj`)
)

// PDFText returns the texts of a PDF as package typeface draws them, a line each.
func PDFText(t *testing.T, file string) string {
	t.Helper()
	var all strings.Builder
	for _, part := range pdfStream.FindAllStringSubmatch(file, -1) {
		in, err := zlib.NewReader(strings.NewReader(part[1]))
		if err != nil {
			continue // a font, perhaps
		}
		page, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, shown := range pdfShown.FindAllSubmatch(page, -1) {
			raw := bytes.NewBuffer(nil)
			for i := 0; i < len(shown[1]); i++ {
				if shown[1][i] == '\\' {
					i++
					if shown[1][i] == 'r' {
						raw.WriteByte('\r')
						continue
					}
				}
				raw.WriteByte(shown[1][i])
			}
			units := make([]uint16, 0, raw.Len()/2)
			for two := raw.Next(2); len(two) == 2; two = raw.Next(2) {
				units = append(units, uint16(two[0])<<8|uint16(two[1]))
			}
			all.WriteString(string(utf16.Decode(units)) + "\n")
		}
	}
	return all.String()
}
