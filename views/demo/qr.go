package demo

import (
	"cmp"

	"forecourt/views/layout"
	"forecourt/views/ui"
)

// QRBadge is the fragment with the code and its label and links.
const QRBadge = "badge"

// QR is the demo of QR codes that lead to a menu.
type QR struct {
	Page   Page
	Client ui.Choice // of the businesses
	Table  ui.Field
	Tables ui.Field // how many tables a printed sheet is for
	Badge  *Badge   // nil while something is wrong with the choice
}

// problem says why there is no badge.
func (q QR) problem() string { return cmp.Or(q.Client.Problem, q.Table.Problem) }

// Shop is a business that the demo makes codes for.
type Shop struct {
	Code, Name string
	Card       layout.QRBusiness
}

// Badge is one code with its files.
type Badge struct {
	Shop     Shop
	Code     layout.QRCode
	SVG, PNG string // addresses of the pictures as files
}

// QRSheet is a page of codes to print, one for each table of a business.
type QRSheet struct {
	Frame layout.Site
	Shop  Shop
	Back  string // address of the demo with the same choice
	Codes []layout.QRCode
}
