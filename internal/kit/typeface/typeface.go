// Package typeface draws texts in PDF files with the typefaces that are inside the program.
//
// Go has Latin, Greek and Cyrillic letters, DejaVu those of Vietnamese, Armenian, Georgian and rarer languages. A letter that neither has
// is a box, and so is each letter of a script that is written from right to left or joins its letters, which fpdf does not do: a box says
// that a letter is missing, a wrong name says nothing.
package typeface

import (
	_ "embed" // of the letters
	"strings"
	"sync"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// Box stands for a letter that cannot be drawn.
const Box = '□'

// Missing is what a page says of boxes.
const Missing = "Letters that this file cannot show are boxes (□)."

// The typefaces as fpdf names them.
const (
	usual = "Go"
	wide  = "DejaVu"
)

var (
	//go:embed DejaVuSansCondensed.ttf.zst
	packedRegular []byte
	//go:embed DejaVuSansCondensed-Bold.ttf.zst
	packedBold []byte

	wideRegular = sync.OnceValue(func() []byte { return unpack(packedRegular) })
	wideBold    = sync.OnceValue(func() []byte { return unpack(packedBold) })

	usualFont = sync.OnceValue(func() *sfnt.Font { return parse(goregular.TTF) })
	wideFont  = sync.OnceValue(func() *sfnt.Font { return parse(wideRegular()) })
)

// Pen is a PDF file whose texts are drawn in a typeface that has their letters. The methods of fpdf that it does not have draw no text, or
// are not for names.
type Pen struct{ *fpdf.Fpdf }

// New returns an empty file with A4 pages.
func New() Pen {
	p := Pen{fpdf.New("P", "mm", "A4", "")}
	p.AddUTF8FontFromBytes(usual, "", goregular.TTF)
	p.AddUTF8FontFromBytes(usual, "B", gobold.TTF)
	return p
}

// SetFont sets the style, "" or "B", and the size in points of what follows.
func (p Pen) SetFont(style string, size float64) { p.Fpdf.SetFont(usual, style, size) }

// SetTitle names the file in the lists of a reader.
func (p Pen) SetTitle(title string) { p.Fpdf.SetTitle(listed(title), true) }

// SetAuthor names the author of the file.
func (p Pen) SetAuthor(name string) { p.Fpdf.SetAuthor(listed(name), true) }

// Bookmark names a place on the first level of the file's outline.
func (p Pen) Bookmark(title string) { p.Fpdf.Bookmark(listed(title), 0, -1) }

// Text draws a line that begins at a point.
func (p Pen) Text(x, y float64, text string) { p.Fpdf.Text(x, y, p.pick(text)) }

// CellFormat draws a line in a cell.
func (p Pen) CellFormat(w, h float64, text, border string, ln int, align string, fill bool) {
	p.Fpdf.CellFormat(w, h, p.pick(text), border, ln, align, fill, 0, "")
}

// MultiCell draws as many lines as a text needs.
func (p Pen) MultiCell(w, h float64, text string) {
	p.Fpdf.MultiCell(w, h, p.pick(text), "", "L", false)
}

// SplitText returns the lines of MultiCell.
func (p Pen) SplitText(text string, w float64) []string { return p.Fpdf.SplitText(p.pick(text), w) }

// GetStringWidth returns how wide a line is.
func (p Pen) GetStringWidth(text string) float64 { return p.Fpdf.GetStringWidth(p.pick(text)) }

// pick selects the typeface for a text and returns what it draws.
func (p Pen) pick(text string) string {
	drawn, family := fit(text)
	if family == wide { // only then, as each typeface is part of the file
		p.AddUTF8FontFromBytes(wide, "", wideRegular())
		p.AddUTF8FontFromBytes(wide, "B", wideBold())
	}
	size, _ := p.GetFontSize()
	p.Fpdf.SetFont(family, p.GetFontStyle(), size)
	return drawn
}

// Drawn returns a text as it is drawn: with a box for each letter that cannot be, and without what nobody sees.
func Drawn(text string) string {
	drawn, _ := fit(text)
	return drawn
}

// Whole reports whether each letter of the texts can be drawn.
func Whole(texts ...string) bool {
	for _, text := range texts {
		if strings.ContainsRune(Drawn(text), Box) {
			return false
		}
	}
	return true
}

// listed returns a text as a reader lists it, in letters of its own; fpdf writes those of 16 bits.
func listed(text string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xffff {
			return Box
		}
		return r
	}, text)
}

// fit returns what is drawn of a text, in the typeface that has more of it.
func fit(text string) (drawn, family string) {
	text = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, norm.NFC.String(text))
	drawn, lacks := draw(text, usualFont())
	if lacks == 0 {
		return drawn, usual
	}
	if more, left := draw(text, wideFont()); left < lacks {
		return more, wide
	}
	return drawn, usual
}

// draw returns a text with a box for each letter that a typeface lacks, and their number.
func draw(text string, font *sfnt.Font) (drawn string, lacks int) {
	var buffer sfnt.Buffer
	drawn = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || drawable(r) && hasGlyph(font, &buffer, r) {
			return r
		}
		lacks++
		return Box
	}, text)
	return drawn, lacks
}

// drawable reports whether fpdf draws a letter correctly. It neither turns nor joins letters, puts no marks (whose script is the inherited
// one) onto them, and knows none beyond 16 bits.
func drawable(r rune) bool {
	return r >= ' ' && r <= 0xffff &&
		unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Common)
}

func hasGlyph(font *sfnt.Font, buffer *sfnt.Buffer, r rune) bool {
	glyph, err := font.GlyphIndex(buffer, r)
	return err == nil && glyph != 0
}

func parse(file []byte) *sfnt.Font {
	font, err := sfnt.Parse(file)
	if err != nil {
		panic("typeface: " + err.Error())
	}
	return font
}

func unpack(packed []byte) []byte {
	reader, err := zstd.NewReader(nil)
	if err != nil {
		panic("typeface: " + err.Error())
	}
	defer reader.Close()
	file, err := reader.DecodeAll(packed, nil)
	if err != nil {
		panic("typeface: " + err.Error())
	}
	return file
}
