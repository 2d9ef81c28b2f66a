package desk

import (
	"strconv"

	"forecourt/internal/clock"
	"forecourt/internal/money"
	"forecourt/internal/shop"
	"forecourt/views/layout"
)

// ExportFragment is the fragment that follows the making of a long table.
const ExportFragment = "export"

// Export is the page of a long table.
type Export struct {
	Frame              layout.Desk
	Back, URL, FileURL string
	Export             shop.Export
}

func (m Export) progress() string {
	if m.Export.Of == 0 {
		return "We are about to begin."
	}
	return thousands(m.Export.Rows) + " of " + thousands(m.Export.Of) + " so far"
}

func (m Export) size() string {
	if mb := m.Export.Bytes / 1_000_000; mb > 0 {
		return strconv.FormatInt(mb, 10) + " MB"
	}
	return strconv.FormatInt(m.Export.Bytes/1000, 10) + " kB"
}

func (m Export) until() string { return clock.Text(m.Export.Until, m.Export.Zone) }

// thousands is a count with commas.
func thousands(n int64) string {
	text := money.Format(n * 100)
	return text[:len(text)-len(".00")]
}
