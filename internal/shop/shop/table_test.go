package shop_test

import (
	"errors"
	"slices"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/shop"
)

func TestParseTables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]shop.Table{
		"":                            nil,
		"1-3":                         {{"1", ""}, {"2", ""}, {"3", ""}},
		"Terrace: 8 to 9, Window\n10": {{"8", "Terrace"}, {"9", "Terrace"}, {"Window", "Terrace"}, {"10", ""}},
		" Bar :  High  table ,, 4,\n": {{"High table", "Bar"}, {"4", "Bar"}},
		"9-1":                         {{"9-1", ""}},
		"A-1, 007":                    {{"A-1", ""}, {"007", ""}},
		"9998, 9999, 10000, 10001":    {{"9998", ""}, {"9999", ""}, {"10000", ""}, {"10001", ""}},
		"10000, 10001, 10002":         {{"10000", ""}, {"10001", ""}, {"10002", ""}},
		"-1, 0, 1":                    {{"-1", ""}, {"0", ""}, {"1", ""}},
	} {
		got, err := shop.ParseTables(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
		again, err := shop.ParseTables(shop.FormatTables(got))
		if err != nil || !slices.Equal(again, want) {
			t.Errorf("%q formatted as %q: %v, %v", text, shop.FormatTables(got), again, err)
		}
	}
	check.Equal(t, shop.FormatTables([]shop.Table{{"1", "In"}, {"2", "In"}, {"3", "In"}, {"7", "In"}, {"8", "Out"}}), "In: 1-3, 7\nOut: 8",
		"FormatTables")
	for text, want := range map[string]shop.Problem{
		"1-3, 2": shop.Twice, "window, Window": shop.Twice, "a very long name of a table": shop.Long, "1-400\nB: 500-700": shop.ManyAtAll, "a\u202eb": shop.Unfit,
	} {
		var problem *shop.TableError
		if _, err := shop.ParseTables(text); !errors.As(err, &problem) || problem.Problem != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
