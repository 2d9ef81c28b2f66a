package legal

import (
	"math"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/typeface"
)

// The height of a section decides whether it begins a new page.
func TestHeightMatchesTheDrawnSection(t *testing.T) {
	t.Parallel()
	p := DefaultProvider()
	for _, d := range []Document{Guide(p, "Nothing"), Terms(p, "Nothing"), Privacy(p)} {
		for _, section := range d.Sections {
			s := &sheet{typeface.New()}
			s.SetMargins(margin, margin, margin)
			s.AddPage()
			want := s.height(section)
			s.section(1, section)
			if got := s.GetY() - margin; s.PageNo() == 1 && math.Abs(got-want) > 0.5 {
				t.Errorf("%s, %s is %.1f mm high, height says %.1f", d.Title, section.Title, got, want)
			}
		}
	}
}

func TestALongTitleStaysOnItsPage(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{"Guide": true, "Direct Debit Request Service Agreement": true, strings.Repeat("Long ", 40): false} {
		s := &sheet{typeface.New()}
		s.AddPage()
		s.title(title)
		check.Equal(t, s.GetStringWidth(title) <= column, want, "%q is %.0f mm wide, the column %.0f", title, s.GetStringWidth(title), column)
	}
}
