// Package typed reads what people type and paste, as they mean it: a field takes whatever hides no other meaning, and refuses the rest with
// a sentence. Nothing is guessed.
package typed

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/secret"
)

// Clean returns a text in one form: letters and their accents as one (NFC), each line break as "\n", and without characters that nobody
// sees, which come along when text is pasted. Bytes that are not UTF-8 stay, for the rule of the field to refuse.
func Clean(text string) string {
	text = norm.NFC.String(breaks.Replace(text))
	if !strings.ContainsFunc(text, unseen) && !strings.ContainsFunc(text, joins) {
		return text
	}
	var b strings.Builder
	var before rune
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		letter := text[:size]
		text = text[size:]
		after, _ := utf8.DecodeRuneInString(text)
		if unseen(r) || joins(r) && (before <= unicode.MaxLatin1 || after <= unicode.MaxLatin1) {
			continue
		}
		b.WriteString(letter)
		before = r
	}
	return norm.NFC.String(b.String()) // what stood apart may join now
}

var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n", "\v", "\n", "\f", "\n")

// unseen reports whether a rune leaves no mark on the screen: a control character, a space without width, a soft hyphen, or a mark that
// turns the direction of what follows, so that a text could pass for another.
func unseen(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case unicode.IsControl(r), r == '\u00ad', r == '\u061c', r == '\u180e', r == '\u200b', r == '\ufeff':
		return true
	}
	return r == '\u200e' || r == '\u200f' || r >= '\u202a' && r <= '\u202e' || r >= '\u2060' && r <= '\u206f'
}

// joins reports whether a rune joins its neighbours or keeps them apart, as emoji and many scripts need.
func joins(r rune) bool { return r == '\u200c' || r == '\u200d' }

// OneLine returns a clean text on one line of at most most characters, with single spaces between its words, whatever it was before. It is
// for what programs say, which is never refused.
func OneLine(text string, most int) string {
	line := Line(strings.ToValidUTF8(text, ""))
	if utf8.RuneCountInString(line) > most {
		line = strings.TrimSpace(string([]rune(line)[:most]))
	}
	return line
}

// Text returns a clean text without spaces around it.
func Text(text string) string { return strings.TrimSpace(Clean(text)) }

// Line returns a clean text on one line, with single spaces between its words.
func Line(text string) string { return strings.Join(strings.Fields(Clean(text)), " ") }

// Tidy cleans a line that a person typed, and says what is wrong with it, "" if nothing: it is longer than most characters, or holds a card
// number. name is that of its field in a sentence; missing is what to say of an empty line, "" if it may be empty.
func Tidy(line *string, most int, name, missing string) (wrong string) {
	*line = Line(*line)
	return judge(*line, most, name, missing)
}

// TidyLines is Tidy for a text of several lines.
func TidyLines(text *string, most int, name, missing string) (wrong string) {
	*text = Text(*text)
	return judge(*text, most, name, missing)
}

func judge(text string, most int, name, missing string) string {
	switch {
	case text == "":
		return missing
	case card.HoldsCard(text): // first, since whoever hears of another problem shows the text again
		return card.LeaveOut
	case utf8.RuneCountInString(text) > most:
		return fmt.Sprintf("Use at most %s characters for the %s.", thousands(most), name)
	case !utf8.ValidString(text):
		return "Type the " + name + " again: it came in a form that cannot be read."
	}
	return ""
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// Password returns a password in the form in which it is hashed: devices send an é as one character or as two (NFC). Everything else
// stays, spaces too.
func Password(password secret.Text) secret.Text {
	return secret.New(norm.NFC.String(password.Reveal()))
}
