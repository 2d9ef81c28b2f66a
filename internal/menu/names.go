package menu

import "strings"

// names are the names that things of each kind have.
type names map[string]bool

// take notes a name, and its problem if it is taken.
func (n names) take(problems Problems, kind, name string) {
	key := kind + " " + strings.ToLower(name)
	if n[key] && problems["name"] == "" {
		problems["name"] = Twice
	}
	n[key] = true
}
