package menu

import "strings"

// names holds the names in use, by kind.
type names map[string]bool

// take records a name, and a problem if it is already in use.
func (n names) take(problems Problems, kind, name string) {
	key := kind + " " + strings.ToLower(name)
	if n[key] && problems["name"] == "" {
		problems["name"] = Twice
	}
	n[key] = true
}
