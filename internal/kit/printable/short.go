package printable

import (
	"unicode/utf8"

	"forecourt/internal/kit/typed"
)

// Short returns what a message repeats of a file or a field, which may be as long as the file.
func Short(text string) string {
	const most = 100
	line := typed.OneLine(text, most+1)
	if utf8.RuneCountInString(line) > most {
		return typed.OneLine(line, most-1) + "…"
	}
	return line
}

// Quote returns text in quotation marks for a message, as Short cuts it.
func Quote(text string) string { return "“" + Short(text) + "”" }
