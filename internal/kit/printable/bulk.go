package printable

// JSONElements guards against parsing bombs, of which a few bytes take a hundred times as much memory. It counts the elements of the lists
// in a JSON text that lie in no other list. An empty list counts as one. The text need not be valid.
func JSONElements(text []byte) (count int) {
	var open []byte
	lists := 0
	for i := 0; i < len(text); i++ {
		last := len(open) - 1
		switch c := text[i]; {
		case c == '"':
			i = end(text, i)
		case c == '[':
			if lists++; lists == 1 {
				count++
			}
			open = append(open, c)
		case c == '{':
			open = append(open, c)
		case last < 0:
		case c == ',' && open[last] == '[' && lists == 1:
			count++
		case c == ']' || c == '}':
			if open[last] == '[' {
				lists--
			}
			open = open[:last]
		}
	}
	return count
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
