package typed

import (
	"cmp"
	"errors"
	"net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"forecourt/internal/kit/card"
)

// MostEmail is the length of the longest address that mail can be sent to, in bytes (RFC 5321, 4.5.3.1.3).
const MostEmail = 254

// ErrEmail means that a text is not an address.
var ErrEmail = errors.New("not an email address")

// IsEmail reports whether text, as Email returns it, is one bare address with a domain of at least two parts: local@domain.tld. Display
// names, angle brackets, comments, quotes and IP addresses are refused, since programs disagree about which address they mean. So are
// addresses that people could take for others: the part before the @ has to be ASCII, and each label of the domain in one script. So are
// those with a card number, which would be stored and mailed.
func IsEmail(text string) bool {
	local, domain, _ := strings.Cut(text, "@")
	if len(text) > MostEmail || !strings.Contains(domain, ".") || strings.HasPrefix(domain, "[") || strings.ContainsFunc(text, blank) {
		return false
	}
	if strings.ContainsFunc(local, foreign) || !inOneScript(domain) || card.HoldsCard(text) {
		return false
	}
	parsed, err := mail.ParseAddress(text)
	return err == nil && parsed.Name == "" && parsed.Address == text
}

// blank reports whether a rune leaves no mark: a control or format character, or a space of any script.
func blank(r rune) bool { return unicode.Is(unicode.C, r) || unicode.IsSpace(r) }

func foreign(r rune) bool { return r > unicode.MaxASCII }

// inOneScript reports whether the letters of each label of a domain are of one script and in the form that browsers show, so that no letter
// passes for another, such as a Cyrillic а or a full-width Latin one. Such a domain can still be given in ASCII ("xn--…").
func inOneScript(domain string) bool {
	if !strings.ContainsFunc(domain, foreign) {
		return true
	}
	domain = strings.ToLower(domain)
	if shown, err := idna.Lookup.ToUnicode(domain); err != nil || shown != domain {
		return false
	}
	for label := range strings.SplitSeq(domain, ".") {
		seen := ""
		for _, r := range label {
			script := scriptOf(r)
			if seen != "" && script != "" && script != seen {
				return false
			}
			seen = cmp.Or(script, seen)
		}
		if (seen == "Cyrillic" || seen == "Greek") && !strings.ContainsFunc(small.Replace(label), foreign) {
			return false // nobody can tell it from a Latin label
		}
	}
	return true
}

// scriptOf returns the name of a rune's script, and "" for digits and other runes that all scripts share. Japanese is written in three,
// which count as one.
func scriptOf(r rune) string {
	for name, runes := range unicode.Scripts {
		switch {
		case !unicode.Is(runes, r):
		case name == "Common", name == "Inherited":
			return ""
		case name == "Hiragana", name == "Katakana":
			return "Han"
		default:
			return name
		}
	}
	return ""
}

// Email returns the form in which an address is kept and compared: lower case, without spaces around it and characters that nobody sees.
func Email(text string) string { return strings.ToLower(Text(text)) }

// Mailbox reads an operator's setting, which may have a display name and an address on this machine, such as "Forecourt
// <no-reply@localhost>", and returns it as a header carries it. The error is ErrEmail.
func Mailbox(text string) (string, error) {
	parsed, err := mail.ParseAddress(text)
	if err != nil {
		return "", ErrEmail
	}
	return parsed.String(), nil
}
