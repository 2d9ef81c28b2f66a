package printable

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cell returns a text as a cell of a spreadsheet: a quotation mark in front keeps the program from running it as a formula. FromCell undoes it.
func Cell(text string) string {
	if live(text) {
		return "'" + text
	}
	return text
}

// FromCell returns the text of a cell that Cell wrote.
func FromCell(cell string) string {
	if text, marked := strings.CutPrefix(cell, "'"); marked && live(text) {
		return text
	}
	return cell
}

// live reports whether a text begins as a formula does, in full-width characters and after what nobody sees as well, or with Cell's mark.
func live(text string) bool {
	seen := strings.TrimLeftFunc(text, func(r rune) bool { return r == ' ' || unicode.In(r, unicode.Zs, unicode.Cf) })
	first, _ := utf8.DecodeRuneInString(seen)
	return seen != "" && strings.ContainsRune("=+-@＝＋－＠'＇\t\r\n", first)
}
