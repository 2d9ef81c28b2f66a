package ui

import (
	"strconv"
	"time"

	"forecourt/internal/run/picture"
)

// These are the limits of one picture, and of all pictures in a form together. An MB is 1<<20 bytes here.
var (
	MostBytes    = strconv.Itoa(picture.MaxBytes>>20) + " MB"
	MostTogether = strconv.Itoa(picture.MaxTogether>>20) + " MB"
)

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

// ISO returns a time for programs, as the datetime attribute of the element time.
func ISO(t time.Time) string { return t.UTC().Format(time.RFC3339) }
