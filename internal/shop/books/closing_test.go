package books_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/must"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
)

func TestTradingDay(t *testing.T) {
	t.Parallel()
	one := shop.Shop{Shop: db.Shop{TimeZone: "Australia/Sydney"}}
	for at, want := range map[string]string{
		"2026-11-23T12:59:00+11:00": "2026-11-23",
		"2026-11-24T00:30:00+11:00": "2026-11-23", // after midnight: the previous evening
		"2026-11-24T04:59:59+11:00": "2026-11-23",
		"2026-11-24T05:00:00+11:00": "2026-11-24",
		"2026-10-04T01:59:59+10:00": "2026-10-03", // a day of 23 hours: 2 am does not exist
		"2026-10-04T03:00:00+11:00": "2026-10-03",
		"2026-10-04T05:00:00+11:00": "2026-10-04",
		"2026-10-04T23:59:59+11:00": "2026-10-04",
		"2026-04-05T02:30:00+11:00": "2026-04-04", // a day of 25 hours: 2 am occurs twice
		"2026-04-05T02:30:00+10:00": "2026-04-04",
		"2026-04-05T05:00:00+10:00": "2026-04-05",
		"2026-03-01T00:00:00+11:00": "2026-02-28",
	} {
		moment, err := time.Parse(time.RFC3339, at)
		must.NoError(t, err)
		check.Equal(t, one.TradingDay(moment).Format(time.DateOnly), want, "%s belongs to", at)
	}
}

func closing() books.Closing {
	return books.Closing{
		Number: 12, Test: true, Day: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC), Since: time.Date(2026, 11, 22, 11, 0, 0, 123000, time.UTC),
		Until: time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC), Zone: clock.Zone("Australia/Sydney"), Business: "Panezski\nnumber: 99", ABN: "51 824 753 556",
		Totals: books.Totals{
			{Currency: "AUD", Method: state.Card, Payments: 2, Taken: 120050, GST: 10914, Refunds: 1, Refunded: 300, RefundGST: 27},
			{Currency: "USD", Method: state.ApplePay, Refunds: 1, Refunded: 700},
		}, Signature: []byte(strings.Repeat("s", 64)),
	}
}

// A closing made before the first restore has no series; a later one keeps its own.
func TestTheSeriesIsPartOfTheSignedText(t *testing.T) {
	t.Parallel()
	c := closing()
	check.Equal(t, c.Name(), "12", "before a restore the closing is named")
	c.Series = "20261123-074205"
	if text := c.Text(); c.Name() != "12 R20261123-074205" || !strings.Contains(text, "\nnumber: 12\nseries: 20261123-074205\nday: ") {
		t.Errorf("%q has the text %s", c.Name(), text)
	}
	file, err := c.JSON()
	must.NoError(t, err)
	if again, err := books.ReadClosingFile(file); err != nil || again.Text() != c.Text() || again.Series != c.Series {
		t.Errorf("the file was read back as %+v, %v", again, err)
	}
	other := strings.Replace(string(file), c.Series, "20261123-074206", 1)
	if again, err := books.ReadClosingFile([]byte(other)); err != nil || again.Text() == c.Text() {
		t.Errorf("another series has the same text: %v", err)
	}
	for _, wrong := range []string{"", "1\\nday: 2026-11-24"} {
		if again, err := books.ReadClosingFile([]byte(strings.Replace(string(file), c.Series, wrong, 1))); err == nil && again.Text() == c.Text() {
			t.Errorf("series %q was accepted as %+v", wrong, again)
		}
	}
}

func TestAClosingIsReadBackAsWritten(t *testing.T) {
	t.Parallel()
	c := closing()
	const want = `Forecourt closing 1
business: Panezski number: 99
abn: 51 824 753 556
number: 12
day: 2026-11-23
since: 2026-11-22T11:00:00.000123Z
until: 2026-11-23T11:00:00Z
zone: Australia/Sydney
mode: test
total: AUD card 2 1200.50 109.14 1 3.00 0.27
total: USD apple 0 0.00 0.00 1 7.00 0.00
`
	must.Equal(t, c.Text(), want, "c.Text")
	again, err := books.ReadClosing(want)
	if err != nil || again.Text() != want || !slices.Equal(again.Totals, c.Totals) || again.Number != 12 || !again.Since.Equal(c.Since) {
		t.Errorf("the text was read back as %+v, %v", again, err)
	}
	file, err := c.JSON()
	must.NoError(t, err)
	fromFile, err := books.ReadClosingFile(file)
	if err != nil || fromFile.Text() != want || string(fromFile.Signature) != string(c.Signature) {
		t.Errorf("the file was read back as %+v, %v", fromFile, err)
	}
	compact := strings.NewReplacer("\n", "", "  ", "").Replace(string(file))
	_, err = books.ReadClosingFile([]byte(compact))
	check.NoError(t, err, "the compact file")
	for name, text := range map[string]string{
		"nothing":                     "",
		"a receipt":                   strings.Replace(want, "closing", "receipt", 1),
		"another order":               strings.Replace(want, "mode: test\n", "", 1) + "mode: test\n",
		"an additional line":          want + "note: x\n",
		"an incomplete total":         want + "total: AUD card 1 1.00\n",
		"a word as a total":           strings.Replace(want, "1200.50", "many", 1),
		"cut short":                   want[:len(want)-1],
		"a number with leading zeros": strings.Replace(want, "number: 12", "number: 012", 1),
		"an invalid date":             strings.Replace(want, "2026-11-23\n", "2026-11-31\n", 1),
		"Windows line ends":           strings.ReplaceAll(want, "\n", "\r\n"),
		"thousands of totals":         want + strings.Repeat("total: AUD card 2 1200.50 109.14 1 3.00 0.27\n", 5000),
	} {
		got, err := books.ReadClosing(text)
		check.Error(t, err, "%s was accepted as %+v", name, got)
	}
	escaped := strings.NewReplacer("Panezski", `\u0050anezski`).Replace(string(file))
	if got, err := books.ReadClosingFile([]byte(escaped)); err != nil || got.Text() != want {
		t.Errorf("the file with an escaped letter: %+v, %v", got, err)
	}
	for name, text := range map[string]string{
		"nothing":                              "",
		"two files":                            string(file) + string(file),
		"a bracket too many":                   string(file) + "}",
		"a number twice, the signed one last":  strings.Replace(string(file), `"number"`, `"number": 99, "number"`, 1),
		"a number twice, the signed one first": strings.Replace(string(file), `"number": 12`, `"number": 12, "Number": 12`, 1),
		"a total twice":                        strings.Replace(string(file), `"taken"`, `"taken": "9.00", "taken"`, 1),
		"a name in other letters":              strings.Replace(string(file), `"number"`, `"Number"`, 1),
		"an unsigned field":                    strings.Replace(string(file), "{", `{"note": "paid twice",`, 1),
		"a smuggled line":                      strings.Replace(string(file), `"mode": "test"`, `"mode": "test\ntotal: AUD card 1 1.00 0.00 0 0.00 0.00"`, 1),
		"a null":                               "null",
		"a list":                               "[]",
	} {
		got, err := books.ReadClosingFile([]byte(text))
		check.Error(t, err, "the file with %s was accepted as %+v", name, got)
	}
}
