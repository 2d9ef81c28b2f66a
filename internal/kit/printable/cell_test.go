package printable_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/printable"
)

func TestCellNeverStartsAFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "Latte": "Latte", "4.50": "4.50", "Fish & chips = lunch": "Fish & chips = lunch", "é": "é", "日替わり": "日替わり",
		"=1+1": "'=1+1", "+61": "'+61", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1",
		"＝1+1": "'＝1+1", "＋61": "'＋61", "－1": "'－1", "＠SUM": "'＠SUM",
		" =1+1": "' =1+1", "\u3000＝1": "'\u3000＝1", "\u200b=1": "'\u200b=1", "\ufeff=1": "'\ufeff=1",
		"'tis": "''tis", "'=1": "''=1",
		"a;b": "a;b", "Soup; hot": "Soup; hot", ";": ";", "x;=1+1": "x;'=1+1", "=1;+1": "'=1;'+1", ";;-1": ";;'-1", "x; @SUM(A1)": "x;' @SUM(A1)", "x;'=1": "x;''=1",
	} {
		got := printable.Cell(text)
		check.Equal(t, got, want, "Cell(%q)", text)
		check.Equal(t, printable.FromCell(got), text, "FromCell(%q)", got)
	}
	for _, cell := range []string{"'Latte'", "'", "Latte", "=1"} { // as typed in a spreadsheet
		check.Equal(t, printable.FromCell(cell), cell, "FromCell")
	}
}
