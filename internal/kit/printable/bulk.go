package printable

import (
	"bytes"

	"golang.org/x/text/encoding/unicode"
)

// Decode returns a file as UTF-8: it removes a byte order mark and decodes UTF-16 if the mark says so.
func Decode(file []byte) []byte {
	if bytes.HasPrefix(file, []byte("\xff\xfe")) || bytes.HasPrefix(file, []byte("\xfe\xff")) {
		if text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(file); err == nil {
			return text
		}
	}
	return bytes.TrimPrefix(file, []byte("\ufeff"))
}

// JSONElements guards against parsing bombs, of which a few bytes take a hundred times as much memory. It counts the elements of the
// lists in a JSON text: first of those in no other list, then of those in one, and so on. Lists that lie deeper than depth are left out.
// An empty list counts as one. The text need not be valid.
func JSONElements(text []byte, depth int) []int {
	counts, lists := make([]int, depth), 0
	count := func() {
		if lists <= depth {
			counts[lists-1]++
		}
	}
	var open []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			i = end(text, i)
		case '{':
			open = append(open, c)
		case '[':
			open = append(open, c)
			lists++
			count()
		case ',':
			if n := len(open); n > 0 && open[n-1] == '[' {
				count()
			}
		case ']', '}':
			if n := len(open); n > 0 {
				if open[n-1] == '[' {
					lists--
				}
				open = open[:n-1]
			}
		}
	}
	return counts
}

// end returns where the string ends that begins at i.
func end(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// mostCells is how many cells a table may have. The largest menu that is one has a third of it.
const mostCells = 1 << 20

// TooManyCells reports whether a table in CSV has far too many cells, in however many rows.
func TooManyCells(text []byte, separator rune) bool {
	return bytes.Count(text, []byte(string(separator))) > mostCells
}
