package printable

import (
	"regexp"
	"strings"
	"unicode"

	"forecourt/internal/kit/typed"
)

// Unlinked returns text as a single line of at most most characters in which no mail program finds the address of a site, a computer
// or a program: it removes "://" and puts a space after each dot before a letter, after each dot or colon of an IP address, after
// the colon of a scheme and after "localhost". "see http://evil.example" becomes "see http evil. example".
func Unlinked(text string, most int) string {
	text = strings.ReplaceAll(typed.OneLine(text, 4*most), "://", " ")
	text = ipv4.ReplaceAllStringFunc(text, func(address string) string {
		return spaced(address, dot)
	})
	text = ipv6.ReplaceAllStringFunc(text, func(address string) string {
		return spaced(address, func(r rune) bool { return r == ':' })
	})
	text = scheme.ReplaceAllString(text, "$1 $2")
	text = localhost.ReplaceAllString(text, "$1 $2")
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		b.WriteRune(r)
		if dot(r) && i+1 < len(runes) && (unicode.IsLetter(runes[i+1]) || unicode.IsMark(runes[i+1])) {
			b.WriteByte(' ')
		}
	}
	return typed.OneLine(b.String(), most)
}

var (
	ipv4 = regexp.MustCompile(`[0-9]{1,3}(?:[.․。．｡][0-9]{1,3}){3}`)
	// ipv6 matches an IPv6 address in brackets, as in a URL, or a shortened one.
	ipv6      = regexp.MustCompile(`(?i)\[[0-9a-f]*:[0-9a-f:.]*|[0-9a-f:]*::[0-9a-f:]*`)
	scheme    = regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.-]*:)(\S)`)
	localhost = regexp.MustCompile(`(?i)(\blocalhost)([/?#])`)
)

// spaced puts a space after each rune for which breaks returns true.
func spaced(text string, breaks func(rune) bool) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
		if breaks(r) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// dot reports whether browsers read a rune as the dot in a domain name.
func dot(r rune) bool { return r == '.' || r == '․' || r == '。' || r == '．' || r == '｡' }
