package desk

import (
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/views/layout"
)

// ExportFragment is the fragment that follows the making of a long table.
const ExportFragment = "export"

// Export is the page of a long table.
type Export struct {
	Frame  layout.Desk
	Export books.Export
}

func exportURL(frame layout.Desk, e books.Export) string { return frame.At("exports/" + e.ID.String()) }

func (m Export) progress() string {
	if m.Export.Of == 0 {
		return "It will start in a moment."
	}
	return thousands(m.Export.Rows) + " of " + thousands(m.Export.Of) + " so far"
}

func (m Export) until() string { return clock.Text(m.Export.Until, m.Export.Zone) }

// thousands returns a count with commas.
func thousands(n int64) string {
	text := money.Format(n * 100)
	return text[:len(text)-len(".00")]
}
