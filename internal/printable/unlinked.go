package printable

import (
	"strings"
	"unicode"
)

// Unlinked returns text as a single line of at most most characters in which no mail program finds the address of a site: it puts a
// space after each dot before a letter, and removes "://". "see http://evil.example" becomes
// "see http evil. example".
func Unlinked(text string, most int) string {
	runes := []rune(strings.ReplaceAll(MakeLine(text, 4*most), "://", " "))
	var b strings.Builder
	for i, r := range runes {
		b.WriteRune(r)
		if dot(r) && i+1 < len(runes) && (unicode.IsLetter(runes[i+1]) || unicode.IsMark(runes[i+1])) {
			b.WriteByte(' ')
		}
	}
	return MakeLine(b.String(), most)
}

// dot reports whether browsers read a rune as the dot in a domain name.
func dot(r rune) bool { return r == '.' || r == '․' || r == '。' || r == '．' || r == '｡' }
