package typed

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Alike returns the same text for names that people cannot tell apart: capitals, quotes, dashes, full-width letters and those of other
// alphabets that look like Latin ones do not count. In a name with Latin letters, a small letter stands for what it looks like itself; in
// any other, for what its capital looks like, since names without Latin letters pass for Latin ones in capitals alone.
func Alike(name string) string {
	if strings.ContainsFunc(name, foreign) {
		name = norm.NFKD.String(signs.Replace(name))
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) {
			name = small.Replace(name)
		}
		name = small.Replace(capital.Replace(strings.ToLower(name)))
	}
	return strings.ToLower(name)
}

var (
	// small replaces small letters of other alphabets that look like Latin ones.
	small = strings.NewReplacer("а", "a", "с", "c", "е", "e", "һ", "h", "і", "i", "ј", "j", "ӏ", "l", "о", "o", "р", "p",
		"ԛ", "q", "ѕ", "s",
		"ԁ", "d", "ԝ", "w", "х", "x", "у", "y", "ъ", "b", "ь", "b", "ү", "y",
		"α", "a", "ι", "i", "κ", "k", "ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "u",
		"χ", "x", "ω", "w")
	// capital replaces small letters of which only the capitals look like Latin ones.
	capital = strings.NewReplacer("в", "b", "к", "k", "м", "m", "н", "h", "т", "t",
		"β", "b", "ε", "e", "ζ", "z", "η", "h", "μ", "m", "ν", "n", "υ", "y")
	signs = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'", "´", "'", "“", `"`, "”", `"`,
		"–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "\u200c", "", "\u200d", "")
)
