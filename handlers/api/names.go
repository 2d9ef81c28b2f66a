package api

import "strings"

// split splits a cardholder's name: the last word is the last name.
func split(name string) (first, last string) {
	if i := strings.LastIndexByte(name, ' '); i > 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}
