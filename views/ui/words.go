package ui

import "strconv"

// Count returns a number and the thing it counts: "1 minute", "2 minutes".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Size returns a number of bytes in words: "12 kB", "3.4 MB".
func Size(bytes int64) string {
	if bytes < 1e6 {
		return strconv.FormatInt((bytes+999)/1000, 10) + " kB"
	}
	return strconv.FormatFloat(float64(bytes)/1e6, 'f', 1, 64) + " MB"
}
