package demo

import (
	"cmp"
	"strconv"

	"forecourt/views/layout"
	"forecourt/views/ui"
)

// QRBadge is the fragment with the code and its label and links.
const QRBadge = "badge"

// QR is the demo of QR codes that lead to a menu.
type QR struct {
	Page   Page
	Client ui.Field // its options are Shops
	Shops  []Shop
	Table  ui.Field
	Tables ui.Field // how many a printed sheet has
	Badge  *Badge   // nil while something is wrong with the choice
}

// problem says why there is no badge.
func (q QR) problem() string { return cmp.Or(q.Client.Problem, q.Table.Problem) }

// Shop is a business to choose.
type Shop struct {
	Code, Name string
	Logo       layout.Picture // zero for none
	Chosen     bool
}

// Badge is one code with what it says beside it.
type Badge struct {
	Shop     Shop
	Label    string // "Table 7"
	URL      string // what the code encodes
	CodePath string // the d attribute of its dark modules
	CodeSize int    // modules along a side, with the quiet zone
	SVG, PNG string // addresses of the pictures as files
}

func (b Badge) viewBox() string {
	size := strconv.Itoa(b.CodeSize)
	return "0 0 " + size + " " + size
}

// QRSheet is a page of codes to print, one for each table of a business.
type QRSheet struct {
	Frame  layout.Site
	Shop   Shop
	Back   string // address of the demo with the same choice
	Badges []Badge
}
