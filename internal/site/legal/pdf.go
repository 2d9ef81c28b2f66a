package legal

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"forecourt/internal/kit/typeface"
)

// Sizes on a page are in millimetres; font sizes are in points.
const (
	margin      = 22.0
	paper       = 210.0
	column      = paper - 2*margin
	factName    = 82.0
	bodySize    = 10.0
	bodyHeight  = 5.2
	bandHeight  = 74.0
	factHeight  = 6.2
	footRoom    = 26.0
	headingSize = 18.0  // of a section's heading with its rule
	headingRoom = 30.0  // a heading stays with the first lines below it
	whole       = 110.0 // a section that is no higher stays on one page
	titleSize   = 30.0  // in points, as the next
	titleLeast  = 16.0
)

// colour is red, green and blue from 0 to 255.
type colour struct{ r, g, b int }

var (
	ink   = colour{28, 32, 42}
	quiet = colour{92, 98, 112}
	rule  = colour{218, 222, 230}
	band  = colour{35, 71, 197}
	pale  = colour{214, 224, 255}
	white = colour{255, 255, 255}
)

// PDF draws a document of p on A4. The same document always gives the same bytes.
func PDF(d Document, p Provider) ([]byte, error) {
	pdf := typeface.New()
	s := &sheet{pdf}
	pdf.SetTitle(d.Title)
	pdf.SetAuthor(p.Name)
	pdf.SetLang("en-AU")
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(time.Unix(0, 0).UTC())
	pdf.SetModificationDate(time.Unix(0, 0).UTC())
	pdf.SetMargins(margin, margin, margin)
	pdf.SetAutoPageBreak(true, footRoom)
	pdf.AliasNbPages("")
	pdf.SetFooterFunc(func() { s.foot(d, p) })
	pdf.AddPage()
	s.cover(d, p)
	for i, section := range d.Sections {
		s.section(i+1, section)
	}
	var out bytes.Buffer
	if err := pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("draw %s: %w", d.Title, err)
	}
	return out.Bytes(), nil
}

// sheet is a PDF that is being drawn.
type sheet struct{ typeface.Pen }

func (s *sheet) cover(d Document, p Provider) {
	s.fill(band)
	s.Rect(0, 0, paper, bandHeight, "F")
	s.mark(margin, 20)
	s.font("B", 14, white)
	s.Text(margin+15, 28, p.Name)
	s.title(d.Title)
	s.Text(margin, 55, d.Title)
	s.font("", 10, pale)
	s.Text(margin, 64, "Australian Financial Services Licence No. "+p.Licence+"  ·  "+p.Year)
	s.SetY(bandHeight + 12)
	s.font("", 12.5, ink)
	s.MultiCell(column, 6.8, d.Summary)
	s.Ln(4)
}

// title sets the size in which a title fits on one line.
func (s *sheet) title(text string) {
	s.font("B", titleSize, white)
	for size := titleSize; s.GetStringWidth(text) > column && size > titleLeast; {
		size--
		s.SetFontSize(size)
	}
}

// mark draws the arches of the provider's sign, 10 mm wide.
func (s *sheet) mark(x, y float64) {
	s.SetLineCapStyle("round")
	s.SetLineWidth(0.95)
	for i, c := range []colour{pale, white} {
		in := float64(i) * 2.1
		s.SetDrawColor(c.r, c.g, c.b)
		s.Line(x+in, y+11, x+in, y+5)
		s.Arc(x+5, y+5, 5-in, 5-in, 0, 0, 180, "D")
		s.Line(x+10-in, y+11, x+10-in, y+5)
	}
	s.fill(white)
	s.Circle(x+5, y+10.6, 0.9, "F")
}

func (s *sheet) section(number int, section Section) {
	room := s.height(section)
	if room > whole {
		room = headingRoom
	}
	if _, height := s.GetPageSize(); s.GetY() > height-footRoom-room {
		s.AddPage()
	}
	s.Ln(5)
	s.SetDrawColor(rule.r, rule.g, rule.b)
	s.SetLineWidth(0.2)
	s.Line(margin, s.GetY(), paper-margin, s.GetY())
	s.Ln(5)
	s.Bookmark(section.Title)
	s.font("B", 13, band)
	s.CellFormat(9, 7, strconv.Itoa(number), "", 0, "L", false)
	s.font("B", 13, ink)
	s.MultiCell(column-9, 7, section.Title)
	s.Ln(1)
	for _, b := range section.Blocks {
		s.block(b)
	}
}

// height returns the height that section and block will take.
func (s *sheet) height(section Section) float64 {
	high := headingSize
	lines := func(text, style string, width float64) float64 {
		s.font(style, bodySize, ink)
		return float64(len(s.SplitText(text, width)))
	}
	for _, b := range section.Blocks {
		if b.Text != "" {
			high += bodyHeight * lines(b.Text, "", column-9)
		}
		for _, item := range b.List {
			high += bodyHeight*lines(item, "", column-14) + 0.8
		}
		for _, f := range b.Facts {
			high += factHeight * lines(f.Value, "B", column-9-factName)
		}
		high += 2.2
	}
	return high
}

func (s *sheet) block(b Block) {
	s.font("", bodySize, ink)
	if b.Text != "" {
		s.SetX(margin + 9)
		s.MultiCell(column-9, bodyHeight, b.Text)
	}
	for _, item := range b.List {
		s.SetX(margin + 9)
		s.CellFormat(5, bodyHeight, "•", "", 0, "L", false)
		s.MultiCell(column-14, bodyHeight, item)
		s.Ln(0.8)
	}
	for _, f := range b.Facts {
		s.SetX(margin + 9)
		s.font("", bodySize, quiet)
		s.CellFormat(factName, factHeight, f.Name, "", 0, "L", false)
		s.font("B", bodySize, ink)
		s.MultiCell(column-9-factName, factHeight, f.Value)
	}
	s.Ln(2.2)
}

func (s *sheet) foot(d Document, p Provider) {
	s.SetY(-16)
	s.font("", 8.5, quiet)
	s.CellFormat(column/2, 5, p.Name+"  ·  "+d.Title, "", 0, "L", false)
	s.CellFormat(column/2, 5, strconv.Itoa(s.PageNo())+" / {nb}", "", 0, "R", false)
}

func (s *sheet) font(style string, size float64, c colour) {
	s.SetFont(style, size)
	s.SetTextColor(c.r, c.g, c.b)
}

func (s *sheet) fill(c colour) { s.SetFillColor(c.r, c.g, c.b) }
