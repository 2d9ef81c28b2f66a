package desk

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typeface"
	"forecourt/internal/shop/books"
)

// Sizes are in millimetres; font sizes are in points.
const (
	margin   = 18.0
	width    = 210.0 - 2*margin
	footRoom = 22.0
	rowHigh  = 6.0
	body     = 9.0
	cellRoom = 2.0 // what a cell keeps free beside its text, in millimetres
)

// colour is red, green and blue from 0 to 255.
type colour struct{ r, g, b int }

var (
	ink   = colour{28, 32, 42}
	quiet = colour{84, 90, 104}
	rule  = colour{205, 210, 220}
	pale  = colour{242, 244, 248}
)

// Head is the beginning of a document.
type Head struct {
	Business, ABN string
	Code          string // of the business, for a name whose letters cannot be drawn
	Accent        string // "#rrggbb"
	Title         string
	Lines         []string // below the title
	Test          bool
	Made          time.Time // when the file says it was made; nothing else in it depends on the clock
	Foot          string    // at the foot of each page, between the business and the page's number
}

// paper is a document that is being drawn.
type paper struct {
	typeface.Pen
	head Head
}

func begin(h Head) *paper {
	s := &paper{typeface.New(), h}
	s.SetTitle(h.Title + " " + h.Business)
	s.SetAuthor(h.Business)
	s.SetLang("en-AU")
	s.SetCatalogSort(true)
	s.SetCreationDate(h.Made)
	s.SetModificationDate(h.Made)
	s.SetMargins(margin, margin, margin)
	s.SetAutoPageBreak(true, footRoom)
	s.AliasNbPages("")
	s.SetFooterFunc(s.foot)
	s.AddPage()
	band := accent(h.Accent)
	s.SetFillColor(band.r, band.g, band.b)
	s.Rect(0, 0, 210, 4, "F")
	s.font("B", 13, ink)
	s.MultiCell(width, 6, h.Business)
	s.font("", body, quiet)
	if h.ABN != "" {
		s.MultiCell(width, 5, "ABN "+h.ABN)
	}
	if !typeface.Whole(h.Business) {
		s.MultiCell(width, 5, "Code "+h.Code+". "+typeface.Missing)
	}
	s.Ln(5)
	s.font("B", 20, ink)
	s.MultiCell(width, 9, h.Title)
	s.font("", 10, quiet)
	for _, line := range h.Lines {
		s.MultiCell(width, 5.2, line)
	}
	if h.Test {
		s.Ln(2)
		s.font("B", 10, ink)
		s.MultiCell(width, 6, "TEST MODE: no real money moved.")
	}
	return s
}

func (s *paper) foot() {
	s.SetY(-15)
	s.font("", 8, quiet)
	business, rest := s.head.Business, "  ·  "+s.head.Foot
	if !typeface.Whole(business) {
		business = s.head.Code
	}
	room := width * 3 / 4
	s.CellFormat(room, 5, s.fitting(business, room-2-s.GetStringWidth(rest))+rest, "", 0, "L", false)
	s.CellFormat(width/4, 5, "Page "+strconv.Itoa(s.PageNo())+" of {nb}", "", 0, "R", false)
}

func (s *paper) font(style string, size float64, c colour) {
	s.SetFont(style, size)
	s.SetTextColor(c.r, c.g, c.b)
}

func (s *paper) heading(text string) {
	_, high := s.GetPageSize()
	if s.GetY() > high-footRoom-4*rowHigh { // a heading stays with its first rows
		s.AddPage()
	}
	s.Ln(6)
	s.font("B", 12, ink)
	s.MultiCell(width, 7, text)
	s.Ln(1)
}

func (s *paper) text(text string) {
	s.font("", body, quiet)
	s.MultiCell(width, 4.6, text)
}

// table draws rows below headings, which each page repeats. The first column gets the width that the others leave. Bold rows are sums.
type table struct {
	headings []string
	widths   []float64 // of all columns but the first
	rows     [][]string
	bold     map[int]bool
}

func (s *paper) table(t table) {
	first := width
	for _, w := range t.widths {
		first -= w
	}
	widths := append([]float64{first}, t.widths...)
	s.row(widths, t.headings, "B", quiet, false)
	_, high := s.GetPageSize()
	for i, row := range t.rows {
		if s.GetY() > high-footRoom-rowHigh {
			s.AddPage()
			s.row(widths, t.headings, "B", quiet, false)
		}
		style := ""
		if t.bold[i] {
			style = "B"
		}
		s.row(widths, row, style, ink, t.bold[i])
	}
}

func (s *paper) row(widths []float64, cells []string, style string, c colour, filled bool) {
	s.font(style, body, c)
	s.SetDrawColor(rule.r, rule.g, rule.b)
	s.SetFillColor(pale.r, pale.g, pale.b)
	s.SetLineWidth(0.2)
	s.CellFormat(widths[0], rowHigh, s.fitting(cells[0], widths[0]-cellRoom), "B", 0, "L", filled)
	for i, cell := range cells[1:] {
		room := widths[i+1] - cellRoom
		s.SetFontSize(body * min(1, room/max(room, s.GetStringWidth(cell)))) // an amount is never cut
		s.CellFormat(widths[i+1], rowHigh, cell, "B", 0, "R", filled)
		s.SetFontSize(body)
	}
	s.Ln(rowHigh)
}

// fitting cuts a text to a width and ends it with an ellipsis if something is missing.
func (s *paper) fitting(text string, room float64) string {
	if s.GetStringWidth(text) <= room {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && s.GetStringWidth(string(runes)+"…") > room {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimSpace(string(runes)) + "…"
}

func (s *paper) bytes() ([]byte, error) {
	var out bytes.Buffer
	if err := s.Output(&out); err != nil {
		return nil, fmt.Errorf("draw %s: %w", s.head.Title, err)
	}
	return out.Bytes(), nil
}

// accent reads the colour of a business. It returns a dark one if there is none.
func accent(text string) colour {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 24)
	if err != nil {
		return ink
	}
	return colour{int(n >> 16), int(n >> 8 & 0xff), int(n & 0xff)}
}

// ClosingPDF draws a closing of the business with a code. check is the address at which anybody can check its signature. The same closing
// gives the same bytes.
func ClosingPDF(c books.Closing, code, accent, check string) ([]byte, error) {
	s := begin(Head{
		Business: c.Business, ABN: c.Abn, Code: code, Accent: accent, Title: "End of day no. " + c.Name(), Test: c.TestMode, Made: c.UntilAt,
		Lines: []string{ClosingDay(c), "From " + moment(c.Since) + " to " + moment(c.UntilAt), "Closed by " + c.ClosedBy},
		Foot:  "End of day no. " + c.Name(),
	})
	s.heading("Totals")
	s.totals(c.Totals)
	s.Ln(6)
	if cash := countedCash(c); cash != "" {
		s.text("Counted cash: " + cash + ", a note that is not part of what is signed.")
	}
	s.beside(c.Totals, c.Extras)
	s.text("GST is the part of the amounts that receipts state. What is left is without disputes and fees.")
	s.Ln(4)
	s.heading("Signature")
	s.text("The signed file of this end of day can be checked at " + check + ". The signature (Ed25519) is")
	s.text(SignatureText(c))
	return s.bytes()
}

// StatementPDF draws a monthly statement.
func StatementPDF(st books.Statement, accent string) ([]byte, error) {
	month := st.Month.Format("January 2006")
	s := begin(Head{
		Business: st.Business, ABN: st.ABN, Code: st.Shop, Accent: accent, Title: "Statement for " + month, Test: st.Test, Made: st.Made,
		Lines: []string{
			clock.Day(st.Since, st.Zone) + " to " + clock.Day(
				st.Before.Add(-1), st.Zone,
			) + ", by the clock of the business (" + st.Zone.String() + ")",
			"Made " + clock.Text(st.Made, st.Zone),
		},
		Foot: month,
	})
	if len(st.Totals) == 0 {
		s.Ln(6)
		s.text("Nothing was taken or refunded in this month.")
	} else {
		s.heading("By method")
		s.totals(st.Totals)
		if len(st.Days) > 0 {
			s.heading("By day")
			s.days(st)
		}
	}
	s.heading("Payouts")
	if len(st.Payouts) == 0 {
		s.text("No payouts are known for this month.")
	} else {
		s.payouts(st)
	}
	if st.MorePayouts {
		s.Ln(4)
		s.text("There were more payouts in this month than fit here. The table of payouts under Exports has them all.")
	}
	s.Ln(4)
	s.beside(st.Totals, st.Extras)
	s.text("Amounts are counted when they moved, refunds on the day they were made. GST is the part of the amounts that receipts state.")
	return s.bytes()
}

func (s *paper) beside(totals books.Totals, extras []books.Extra) {
	for _, text := range Beside(totals, extras) {
		s.text(text)
	}
}

// totalTable returns an empty table of totals.
func totalTable(of string) table {
	return table{
		headings: []string{of, "No.", "Taken", "GST incl.", "No.", "Refunded", "GST incl.", "Net"},
		widths:   []float64{12, 25, 21, 12, 25, 21, 26}, bold: map[int]bool{},
	}
}

func (s *paper) totals(totals books.Totals) {
	t := totalTable("Method")
	for i, row := range TotalRows(totals) {
		t.rows = append(t.rows, append([]string{TotalName(row)}, TotalCells(row)...))
		t.bold[i] = row.Method == ""
	}
	s.table(t)
}

func (s *paper) days(st books.Statement) {
	t := totalTable("Day")
	for _, day := range st.Days {
		for _, sum := range day.Totals {
			t.rows = append(t.rows, append([]string{day.Day.Format("Mon 2 January")}, TotalCells(sum)...))
		}
	}
	s.table(t)
}

func (s *paper) payouts(st books.Statement) {
	t := table{headings: []string{"Payout", "Paid", "No.", "Gross", "Fees", "Net"}, widths: []float64{24, 10, 27, 22, 27}}
	for _, row := range st.Payouts {
		p := row.Payout
		t.rows = append(t.rows, []string{
			p.ID, p.PaidAt.Format("2 January"), strconv.FormatInt(row.Entries, 10), money.Label(p.GrossMinor, p.Currency),
			money.Label(p.FeesMinor, p.Currency), money.Label(p.NetMinor, p.Currency),
		})
	}
	s.table(t)
}
