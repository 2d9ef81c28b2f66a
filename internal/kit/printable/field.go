package printable

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"forecourt/internal/kit/card"
)

// Tidy puts single spaces between the words of a line that a person typed, and says what is wrong with it, "" if nothing: it is longer than
// most characters, or contains unprintable characters or a card number. name is that of its field in a sentence; missing is what to say of
// an empty line, "" if it may be empty.
func Tidy(line *string, most int, name, missing string) (wrong string) {
	*line = strings.Join(strings.Fields(*line), " ")
	switch {
	case *line == "":
		return missing
	case utf8.RuneCountInString(*line) > most:
		return fmt.Sprintf("Use at most %d characters for the %s.", most, name)
	case !Line(*line, most):
		return "Use printable characters for the " + name + "."
	case card.HoldsCard(*line):
		return card.LeaveOut
	}
	return ""
}
