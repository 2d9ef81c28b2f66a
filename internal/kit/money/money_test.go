package money_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/money"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{"12": 1200, "12.5": 1250, "12.50": 1250, "0.05": 5, "999999.99": money.Max, "007": 700} {
		if got, err := money.Parse(in); err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v, want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", ".", ".5", "1.", "-1", "+1", "1e3", "1,000", " 1", "1.234", "1000000", "１２", "0x10", "1.5.0", "NaN"} {
		got, err := money.Parse(in)
		check.Error(t, err, "Parse(%q) = %d, want an error", in, got)
	}
}

func TestTotals(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{"0.00": 0, "-1.50": -150, "11.5": 1150, "12": 1200, "123456789012345.99": 12345678901234599} {
		if got, err := money.ParseTotal(in); err != nil || got != want {
			t.Errorf("ParseTotal(%q) = %d, %v, want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "-", "--1.00", "+1.00", "1.500", "1.", ".50", "1,000.00", "1e3", "1234567890123456.00"} {
		got, err := money.ParseTotal(in)
		check.Error(t, err, "ParseTotal(%q) = %d, want an error", in, got)
	}
}

func TestPrinting(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, got, want string
	}{
		{"two decimals (CONST-01)", money.Format(5), "0.05"},
		{"en-AU grouping (CONST-02)", money.Format(100052), "1,000.52"},
		{"grouping of millions (CONST-02)", money.Format(123456789), "1,234,567.89"},
		{"no sign (CONST-04)", money.Format(1250), "12.50"},
		{"wire has no grouping", money.Wire(100052), "1000.52"},
		{"a negative amount keeps its sign", money.Format(-100052), "-1,000.52"},
		{"dollars (POS-10)", money.Price(1250, "AUD"), "$12.50"},
		{"also by default", money.Price(123456, ""), "$1,234.56"},
		{"also those of New Zealand", money.Price(1250, "NZD"), "$12.50"},
		{"also those of Singapore", money.Price(1250, "SGD"), "$12.50"},
		{"also those of Canada", money.Price(1250, "CAD"), "$12.50"},
		{"also those of the United States", money.Price(1250, "USD"), "$12.50"},
		{"also those of Hong Kong", money.Price(1250, "HKD"), "$12.50"},
		{"pounds", money.Price(123456, "GBP"), "£1,234.56"},
		{"euros", money.Price(1250, "EUR"), "€12.50"},
		{"another price has the code and a no-break space", money.Price(1250, "CHF"), "CHF\u00a012.50"},
		{"dinars are no dollars", money.Price(1250, "RSD"), "RSD\u00a012.50"},
		{"a negative price", money.Price(-1250, "GBP"), "−£12.50"},
		{"a sign alone", money.Sign("GBP"), "£"},
		{"a sign that is the code", money.Sign("CHF"), "CHF\u00a0"},
		{"what a choice adds", money.Change(50, "GBP"), "+£0.50"},
		{"what a choice takes off", money.Change(-100, "NZD"), "−$1.00"},
		{"a choice that changes nothing", money.Change(0, "GBP"), ""},
		{"AUD by default (CONST-03)", money.Label(1250, ""), "$12.50"},
		{"the sign of a negative amount is in front", money.Label(-1250, "AUD"), "−$12.50"},
		{"also of another currency", money.Label(-1250, "GBP"), "−12.50 GBP"},
		{"other currencies are named", money.Label(1250, "GBP"), "12.50 GBP"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check.Equal(t, tt.got, tt.want, "%s", tt.name)
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"12.50", "", "1e9", "999999.99", "0.001"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		minor, err := money.Parse(s)
		if err != nil {
			return
		}
		if minor < 0 || minor > money.Max {
			t.Fatalf("Parse(%q) = %d, out of range", s, minor)
		}
		if again, err := money.Parse(money.Wire(minor)); err != nil || again != minor {
			t.Fatalf("Parse(Wire(%d)) = %d, %v", minor, again, err)
		}
	})
}
