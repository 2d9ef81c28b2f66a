package printable

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cell returns a text as a cell of a spreadsheet. A quotation mark in front keeps the spreadsheet program from running the text as a
// formula. In countries where semicolons separate lists, the program takes a row with commas for one cell and splits it at each semicolon,
// even between quotation marks, so Cell also treats the text after each semicolon as a cell. FromCell undoes Cell.
func Cell(text string) string {
	return each(text, func(part string) string {
		if live(part) {
			return "'" + part
		}
		return part
	})
}

// FromCell returns the text of a cell that Cell wrote.
func FromCell(cell string) string {
	return each(cell, func(part string) string {
		if text, marked := strings.CutPrefix(part, "'"); marked && live(text) {
			return text
		}
		return part
	})
}

// each changes the parts of a text between semicolons.
func each(text string, change func(part string) string) string {
	parts := strings.Split(text, ";")
	for i := range parts {
		parts[i] = change(parts[i])
	}
	return strings.Join(parts, ";")
}

// live reports whether a text begins like a formula, even in full-width characters or after invisible ones, or begins with Cell's mark.
func live(text string) bool {
	seen := strings.TrimLeftFunc(text, func(r rune) bool { return r == ' ' || unicode.In(r, unicode.Zs, unicode.Cf) })
	first, _ := utf8.DecodeRuneInString(seen)
	return seen != "" && strings.ContainsRune("=+-@＝＋－＠'＇\t\r\n", first)
}
