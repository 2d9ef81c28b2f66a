package ui

import (
	"strconv"
	"strings"

	"forecourt/internal/kit/qr"
)

// QRBusiness is the business whose menu the codes lead to.
type QRBusiness struct {
	Name   string
	Logo   Picture // zero for none
	Ground string  // colour of the band, "#rrggbb"; empty for a card without one
	OnDark bool    // text on the band is white
}

// QRCode is a QR code and what it says beside it.
type QRCode struct {
	Label   string // "Table 7"
	Table   string // "7"; empty for none
	Area    string // "Terrace"; empty for none
	URL     string // what the code encodes
	drawing qr.Code
}

// QRCodeOf returns the code of an address. The error means that the address does not fit into a code.
func QRCodeOf(label, address string) (QRCode, error) {
	drawing, err := qr.New(address)
	return QRCode{Label: label, URL: address, drawing: drawing}, err
}

func (c QRCode) viewBox() string {
	size := strconv.Itoa(c.drawing.Size())
	return "0 0 " + size + " " + size
}

// QRLabel says what a code is for: a table, or orders to take away.
func QRLabel(table string) string {
	if table == "" {
		return "Takeaway Order"
	}
	return "Table " + table
}

// SheetFormat is a kind of sheet.
type SheetFormat struct {
	ID, Name string
	PerPage  int
}

// SheetFormats are the sheets to choose from, the usual one first.
var SheetFormats = []SheetFormat{
	{"a4", "Cards on A4, 6 on a page", 6},
	{"letter", "Cards on US Letter, 6 on a page", 6},
	{"a4-stickers", "Stickers on A4, 24 on a page (63.5 × 33.9 mm)", 24},
	{"letter-stickers", "Stickers on US Letter, 30 on a page (2⅝ × 1 in)", 30},
}

// SheetFormatOf returns a format by its id, the usual one for an unknown id.
func SheetFormatOf(id string) SheetFormat {
	for _, f := range SheetFormats {
		if f.ID == id {
			return f
		}
	}
	return SheetFormats[0]
}

// QRFilename returns the name of a code's picture file, without suffix: "panezski-table-7". It leaves out letters beyond ASCII, since not
// every system accepts them.
func QRFilename(shop, table string) string {
	plain := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		case r == ' ' || r == '-' || r == '_':
			return '-'
		default:
			return -1
		}
	}, table), "-")
	switch {
	case table == "":
		return shop + "-takeaway"
	case plain == "":
		return shop + "-table"
	default:
		return shop + "-table-" + plain
	}
}
