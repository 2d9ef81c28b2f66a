package legal

import (
	"strconv"
	"strings"

	"forecourt/internal/kit/typed"
)

// Parse reads a document that an operator has stored as plain text: "# Title" first, "## Section", paragraphs with empty lines between
// them, and lists whose lines begin with "- ". The text before the first section is the summary. A text without a title gets that of
// fallback.
func Parse(text string, fallback Document) Document {
	d := Document{Title: fallback.Title}
	var summary []string
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		part = strings.TrimSpace(part)
		head, rest, _ := strings.Cut(part, "\n")
		if title, ok := strings.CutPrefix(head, "# "); ok {
			d.Title, part = strings.TrimSpace(title), strings.TrimSpace(rest)
		} else if title, ok := strings.CutPrefix(head, "## "); ok {
			d.Sections = append(d.Sections, Section{ID: "s" + strconv.Itoa(len(d.Sections)+1), Title: strings.TrimSpace(title)})
			part = strings.TrimSpace(rest)
		}
		switch last := len(d.Sections) - 1; {
		case part == "":
		case last < 0:
			summary = append(summary, typed.Line(part))
		default:
			d.Sections[last].Blocks = append(d.Sections[last].Blocks, block(part))
		}
	}
	d.Summary = strings.Join(summary, " ")
	return d
}

// block returns a list if every line of part is an entry, and a paragraph otherwise.
func block(part string) Block {
	var entries []string
	for line := range strings.SplitSeq(part, "\n") {
		entry, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			return text(typed.Line(part))
		}
		entries = append(entries, strings.TrimSpace(entry))
	}
	return list(entries...)
}
