package desk

import (
	"strconv"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
)

// ClosingPDF draws a closing of the business with a code. check is the address at which anybody can check its signature. The same closing
// gives the same bytes.
func ClosingPDF(c books.Closing, code, accent, check string) ([]byte, error) {
	s := begin(Head{
		Business: c.Business, ABN: c.Abn, Code: code, Accent: accent, Title: "Closing no. " + c.Name(), Test: c.TestMode, Made: c.UntilAt,
		Lines: []string{ClosingDay(c), "From " + moment(c.Since) + " to " + moment(c.UntilAt), "Closed by " + c.ClosedBy},
		Foot:  "Closing no. " + c.Name(),
	})
	s.heading("Totals")
	s.totals(c.Totals)
	s.Ln(6)
	s.text("GST is the part of the amounts that receipts state. A disputed payment counts as taken until a payout deducts it.")
	s.Ln(4)
	s.heading("Signature")
	s.text("The signed file of this closing can be checked at " + check + ". The signature (Ed25519) is")
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
	for _, lost := range st.Lost {
		s.Ln(4)
		s.text("Banks took back " + money.Label(lost.Minor, lost.Currency) + " in disputes that ended in this " +
			"month (" + strconv.Itoa(lost.Count) + "). The refunds do not include this.")
	}
	s.Ln(4)
	s.text("Amounts are counted when they moved, refunds on the day they were made. GST is the part of the amounts that receipts state.")
	return s.bytes()
}

// totalTable returns an empty table of totals.
func totalTable(of string) table {
	return table{
		headings: []string{of, "No.", "Taken", "GST in it", "No.", "Refunded", "GST in it", "Left"},
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
