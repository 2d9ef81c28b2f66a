package ui

import "strconv"

// Count is a number with what it counts: "1 minute", "2 minutes".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
