package api

import "strings"

// split takes a cardholder's name apart: the last word is the last name.
func split(name string) (first, last string) {
	if i := strings.LastIndexByte(name, ' '); i > 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}
