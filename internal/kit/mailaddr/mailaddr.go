// Package mailaddr has the only rule for email addresses. Every part of the program that takes an address uses it, from a sign-up to the
// mail server's envelope, so that no two parts read the same text as different addresses.
package mailaddr

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"forecourt/internal/kit/card"
)

// MostBytes is the length of the longest address that mail can be sent to, in bytes (RFC 5321, 4.5.3.1.3).
const MostBytes = 254

// ErrSyntax means that a text is not an address.
var ErrSyntax = errors.New("not an email address")

// Valid reports whether text is one bare address with a domain of at least two parts: local@domain.tld. Display names, angle brackets,
// comments, quotes and IP addresses are refused, since programs disagree about which address they mean. So are addresses that people could
// take for others: the part before the @ has to be ASCII, and the domain in one script. So are those with a card number, which would be
// stored and mailed.
func Valid(text string) bool {
	local, domain, _ := strings.Cut(text, "@")
	if len(text) > MostBytes || !strings.Contains(domain, ".") || strings.HasPrefix(domain, "[") || strings.ContainsFunc(text, unseen) {
		return false
	}
	if strings.ContainsFunc(local, foreign) || !inOneScript(domain) || card.HoldsCard(text) {
		return false
	}
	parsed, err := mail.ParseAddress(text)
	return err == nil && parsed.Name == "" && parsed.Address == text
}

// unseen reports whether a rune leaves no mark: a control or format character, or a space of any script.
func unseen(r rune) bool { return unicode.Is(unicode.C, r) || unicode.IsSpace(r) }

func foreign(r rune) bool { return r > unicode.MaxASCII }

// inOneScript reports whether the letters of a domain are of one script and in the form that browsers show, so that no letter passes for
// another, such as a Cyrillic а or a full-width Latin one. Such a domain can still be given in ASCII ("xn--…").
func inOneScript(domain string) bool {
	if !strings.ContainsFunc(domain, foreign) {
		return true
	}
	domain = strings.ToLower(domain)
	if shown, err := idna.Lookup.ToUnicode(domain); err != nil || shown != domain {
		return false
	}
	seen := ""
	for _, r := range domain {
		script := scriptOf(r)
		if script == "" {
			continue
		}
		if seen != "" && script != seen {
			return false
		}
		seen = script
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

// Normal returns the form in which an address is kept and compared: lower case, without spaces around it.
func Normal(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// Mailbox reads an operator's setting, which may have a display name and an address on this machine, such as "Forecourt
// <no-reply@localhost>", and returns it as a header carries it. The error is ErrSyntax.
func Mailbox(text string) (string, error) {
	parsed, err := mail.ParseAddress(text)
	if err != nil {
		return "", ErrSyntax
	}
	return parsed.String(), nil
}
