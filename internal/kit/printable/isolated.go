package printable

import (
	"strings"
	"unicode"
)

// Isolated returns a text that somebody typed for use inside a sentence: letters that are written from right to left would turn the numbers
// and signs beside them around, so marks keep it apart (FSI and PDI). In a page's markup, the element bdi does the same.
func Isolated(text string) string {
	if strings.ContainsFunc(text, fromRight) {
		return "\u2068" + text + "\u2069"
	}
	return text
}

// List joins names that people typed inside a sentence: "a, b and c".
func List(names []string) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i > 0 && i == len(names)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(Isolated(name))
	}
	return b.String()
}

func fromRight(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam)
}
