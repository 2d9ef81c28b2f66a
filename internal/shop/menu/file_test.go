package menu_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/menu"
)

func TestAMenuSurvivesExportAndImport(t *testing.T) {
	t.Parallel()
	m := cafe()
	m.Categories = append(m.Categories, menu.Category{ID: 3, Name: "Brunch", Hours: "Sat-Sun 09:00-13:00"})
	m.Categories[0].Items[1].Name, m.Categories[0].Items[1].Description = "=SUM(A1)", "-10% today; 'really'"
	m.Categories[0].Items[0].GSTFree = true
	happy := int64(400)
	m.Categories[0].OtherHours, m.Categories[0].Items[0].OtherPrice = "Fri 16:00-18:00; Public holidays closed", &happy
	m.Groups[1].Name = "Milk, plant; other"
	m, faults := m.Check(nil)
	check.MustEqual(t, len(faults), 0, "m.Check, %v", faults)
	for name, base := range map[string]menu.Menu{"the same shop": m, "an empty shop": {}} {
		var sheet bytes.Buffer
		check.Must(t, m.WriteCSV(&sheet))
		if strings.Contains(sheet.String(), ",=SUM") || strings.Contains(sheet.String(), ",-10%") {
			t.Error("a spreadsheet would run a formula")
		}
		read, _, wrong := menu.ReadCSV(sheet.Bytes(), menu.State{Draft: base})
		read = read.Adopt(base)
		want := m.Clone()
		if name == "an empty shop" {
			strip(&want)
			strip(&read)
		}
		if len(wrong) > 0 || !reflect.DeepEqual(read.Clone(), want) {
			t.Errorf("CSV in %s, %v:\ngot  %+v\nwant %+v", name, wrong, read, want)
		}
	}
}

// strip removes the ids that another shop would not have.
func strip(m *menu.Menu) {
	at := map[int64]int64{}
	for n := range m.Groups {
		at[m.Groups[n].ID], m.Groups[n].ID = int64(n+1), int64(n+1)
		for k := range m.Groups[n].Choices {
			m.Groups[n].Choices[k].ID = 0
		}
	}
	for n := range m.Categories {
		m.Categories[n].ID = 0
		for k := range m.Categories[n].Items {
			item := &m.Categories[n].Items[k]
			item.ID = 0
			for g, id := range item.Groups {
				item.Groups[g] = at[id]
			}
		}
	}
}

func TestAPriceListKeepsTheHoursThatItDoesNotHave(t *testing.T) {
	t.Parallel()
	happy, base := int64(400), cafe()
	base.Categories[0].Hours, base.Categories[0].OtherHours = "Mon-Sun 07:00-15:00", "Fri 16:00-18:00"
	base.Categories[0].Items[0].OtherPrice = &happy
	const row = "Coffee,Flat White,5.10"
	read, _, wrong := menu.ReadCSV([]byte("category,name,price\n"+row), menu.State{Draft: base})
	check.MustEqual(t, len(wrong), 0, "faults, %v", wrong)
	coffee := read.Categories[0]
	check.Equal(t, coffee.Hours+" / "+coffee.OtherHours, "Mon-Sun 07:00-15:00 / Fri 16:00-18:00", "hours")
	check.Equal(t, *coffee.Items[0].OtherPrice, 400, "the happy hour price")
	file := "category,name,price,hours,happy hour,happy hour price\nCoffee,,,,Sat 4-6pm,\n" + row + ",,,"
	read, _, wrong = menu.ReadCSV([]byte(file), menu.State{Draft: base})
	check.MustEqual(t, len(wrong), 0, "faults, %v", wrong)
	coffee = read.Categories[0]
	check.Equal(t, coffee.Hours+" / "+coffee.OtherHours, " / Sat 16:00-18:00", "hours of a file that has them")
	if coffee.Items[0].OtherPrice != nil {
		t.Error("an empty happy hour price keeps the one before")
	}
	file = "category,name,price,happy hour,happy hour price\nCoffee,,,sometimes,\n" + row + ",,cheap"
	_, _, wrong = menu.ReadCSV([]byte(file), menu.State{Draft: base})
	check.Equal(t, fmt.Sprint(wrong), "[Row 2, column happy hour: “sometimes”: "+
		"Write the days and then the times, such as Mon-Fri 7am-3pm. "+
		"Row 3, column happy hour price: Enter a price like 4.50.]", "what is wrong with both")
}

func TestTheExampleCanBePublished(t *testing.T) {
	t.Parallel()
	m := menu.Example("Bar")
	_, faults := m.Check([]string{"Bar"})
	check.Empty(t, faults, "its faults")
	white := m.Categories[0].Items[0]
	if m.Count() != 7 || len(m.Groups) != 4 || len(white.Groups) != 3 || m.Group(white.Groups[1]).Name != "Milk" || !white.AllergensKnown {
		t.Errorf("%+v", m)
	}
}

func TestReadingRealWorldSheets(t *testing.T) {
	t.Parallel()
	read, _, wrong := menu.ReadCSV([]byte("Category;Item;Price;Allergens;Options\r\n"+
		"Food;\"toast, \"\"thick\"\"\";$9.50;none;\r\nTea; Green  Tea ;4;Milk, tree nuts;extras, Size\r\n; ;  ; ;\r\n"),
		menu.State{Draft: cafe(), Locations: []string{"Bar", "Kitchen"}})
	check.MustEqual(t, len(wrong), 0, "menu.ReadCSV, %v", wrong)
	toast, tea := read.Categories[0].Items[0], read.Categories[1].Items[0]
	if toast.ID != 13 || toast.Price != 950 || toast.Loc != "Kitchen" || !toast.AllergensKnown || len(toast.Contains) != 0 || toast.Hours == "" {
		t.Errorf("a missing column changed the item: %+v", toast)
	}
	if tea.ID != 0 || tea.Name != "Green Tea" || tea.Price != 400 || !tea.Available || strings.Join(tea.Contains, " ") != "milk nuts" || len(tea.Groups) != 2 || tea.Groups[0] != 22 {
		t.Errorf("%+v", tea)
	}
	check.Equal(t, len(read.Groups), 2, "groups")
}

// An older file does not mention the choices' allergens, so those of the shop stay.
func TestASheetWithoutAllergensKeepsTheChoicesAllergens(t *testing.T) {
	t.Parallel()
	read, _, wrong := menu.ReadCSV(
		[]byte("category,name,price,choice of,choose\nFood,Toast,9,,\n,Syrup,0.7,Extras,0 to 3\n,Cream,0.7,Extras,\n"),
		menu.State{Draft: cafe()})
	check.MustEqual(t, len(wrong), 0, "menu.ReadCSV, %v", wrong)
	syrup, cream := read.Groups[0].Choices[0], read.Groups[0].Choices[1]
	if syrup.Price != 70 || !syrup.AllergensKnown || strings.Join(syrup.Contains, "") != "soy" || cream.AllergensKnown {
		t.Errorf("%+v %+v", syrup, cream)
	}
}

// Spreadsheets save a table as UTF-16 if they are asked for Unicode text.
func TestMenusAreReadInUTF16(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"tabs": "category\tname\tprice\r\nCafé\tLatte 李\t4.50\r\n", "commas": "category,name,price\nCafé,Latte 李,4.50\n",
	} {
		for order, mark := range map[binary.AppendByteOrder]string{binary.LittleEndian: "\xff\xfe", binary.BigEndian: "\xfe\xff"} {
			data := []byte(mark)
			for _, unit := range utf16.Encode([]rune(text)) {
				data = order.AppendUint16(data, unit)
			}
			read, _, wrong := menu.ReadCSV(data, menu.State{})
			if len(wrong) > 0 || read.Count() != 1 || read.Categories[0].Name != "Café" || read.Categories[0].Items[0].Name != "Latte 李" {
				t.Errorf("%s, %v: %+v %v", name, order, read, wrong)
			}
		}
	}
}

func TestMistakesInASheetNameRowAndColumn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "The file is empty.",
		"category,name\nA,B\n":         "Row 1, column price: This column is missing.",
		"category,name,price,colour\n": "Row 1, column colour: There is no such column.",
		"category,name,price\nFood,Toast,12,50\n":                           "Row 2: The row has more values than the first line has names.",
		"category,name,price\n":                                             "The file has no items.",
		"category,name,price\n\nA,B,free\n":                                 "Row 3, column price: Enter a price like 4.50.",
		"category,name,price\nA,B,1\nC,b,2":                                 "Row 3, column name: Another item has this name.",
		"category,name,price\n,B,1\n":                                       "Row 2, column category: Enter a category.",
		"category,name,price,location\nA,B,1,Roof\n":                        "Row 2, column location: Choose one of the locations in your business details.",
		"category,name,price,allergens\nA,\"B\nc\",1,\nA,D,1,soy; gold\n":   "Row 3, column allergens: gold is not one of",
		"category,name,price,may contain\nA,B,1,milk\n":                     "Row 2, column may contain: Fill in allergens as well",
		"category,name,price,option groups\nA,B,1,Colour\n":                 "Row 2, column option groups: There are no options called Colour.",
		"category,name,price,available\nA,B,1,maybe\n":                      "Row 2, column available: Enter yes or no.",
		"category,name,price,hours\nA,B,1,lunch\n":                          "Row 2, column hours: “lunch”: Write the days and then the times",
		"category,name,price,choice of,choose\nA,B,1,,\n,Big,1,Size,some\n": "Row 3, column choose: Enter how many to choose",
		"category,name,price\nA,\"B,1\n":                                    "Row 2: This row is not CSV.",
	} {
		_, _, wrong := menu.ReadCSV([]byte(text), menu.State{Locations: []string{"Kitchen"}})
		if len(wrong) == 0 || !strings.HasPrefix(wrong[0].String(), want) {
			t.Errorf("%q: %v", text, wrong)
		}
	}
}

func TestTheSignOfAPriceIsThatOfTheMenu(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		currency, price string
		minor           int64
		wrong           string
	}{
		{"AUD", "$4.50", 450, ""},
		{"GBP", "£1,004.50", 100450, ""},
		{"EUR", "4.50 EUR", 450, ""},
		{"CHF", "CHF 4.50", 450, ""},
		{"", "$4.50", 450, ""},
		{"AUD", "€4.50", 0, "Row 3, column price: The prices of this menu are in AUD."},
		{"GBP", "$4.50", 0, "Row 3, column price: The prices of this menu are in GBP."},
		{"CHF", "4.50 €", 0, "Row 3, column price: The prices of this menu are in CHF."},
		{"GBP", "4,50", 0, "Row 3, column price: Enter a price like 4.50."},
	} {
		for _, row := range []string{"Food,B,\"%s\",\n", ",B,\"+%s\",Size\n"} { // an item, and a choice
			text := "category,name,price,choice of\nFood,A,1,\n" + fmt.Sprintf(row, tt.price)
			read, _, wrong := menu.ReadCSV([]byte(text), menu.State{Currency: tt.currency})
			switch {
			case tt.wrong != "":
				if len(wrong) != 1 || !strings.HasPrefix(wrong[0].String(), tt.wrong) {
					t.Errorf("%s in %s: %v", text, tt.currency, wrong)
				}
			case len(wrong) > 0:
				t.Errorf("%s in %s: %v", text, tt.currency, wrong)
			case len(read.Groups) == 1:
				check.Equal(t, read.Groups[0].Choices[0].Price, tt.minor, "%s in %s", text, tt.currency)
			default:
				check.Equal(t, read.Categories[0].Items[1].Price, tt.minor, "%s in %s", text, tt.currency)
			}
		}
	}
}

func TestHoursAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                    "",
		"daily 11.30-14":                      "Mon-Sun 11:30-14:00",
		"weekends 9 to 15\nFri 18:00–02:00":   "Fri 18:00-02:00; Sat-Sun 09:00-15:00",
		"Mon, Wed 7-9, 12-14":                 "Mon 07:00-09:00, 12:00-14:00; Wed 07:00-09:00, 12:00-14:00",
		"7am - 3pm":                           "Mon-Sun 07:00-15:00",
		"Mon–Fri 7:00–15:00":                  "Mon-Fri 07:00-15:00",
		"Mon\u2011Fri\u00a0９am −\u200b5pm":    "Mon-Fri 09:00-17:00",
		"Mon 07.00-15.30":                     "Mon 07:00-15:30",
		"Mon-Fri: 7.30 a.m. – 3 P.M.":         "Mon-Fri 07:30-15:00",
		"Monday to Friday 7-3pm":              "Mon-Fri 07:00-15:00",
		"Sat & Sun 11-2pm and 5-9pm":          "Sat-Sun 11:00-14:00, 17:00-21:00",
		"Fri 10-2am":                          "Fri 22:00-02:00",
		"Fri 12-2pm":                          "Fri 12:00-14:00",
		"Mo/Tu 0700-1500":                     "Mon-Tue 07:00-15:00",
		"Sat noon-midnight":                   "Sat 12:00-24:00",
		"Sat 12am-12pm":                       "Sat 00:00-12:00",
		"daily 9am until 5pm\nSun closed":     "Mon-Sat 09:00-17:00",
		"Sun closed; Mon-Sat 18-2":            "Mon-Sat 18:00-02:00",
		"2026-12-25 closed; 1 Jan 2027 10-12": "25 Dec 2026 closed; 1 Jan 2027 10:00-12:00",
	} {
		got, problem := clock.TidyHours(text, []string{})
		if got != want || problem != "" {
			t.Errorf("%q: %q %q", text, got, problem)
		}
		again, _ := clock.TidyHours(got, nil)
		check.Equal(t, again, want, "tidying %q again gave", got)
	}
}

func TestAProblemWithHoursQuotesTheLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "",
		"7am-3pm":                     "",
		"Mon 7am-3pm\nMno-Fri 8-12":   "“Mno-Fri 8-12”: “mno” is not a day. Write Mon, Mon-Fri, weekends or a date such as 25 Dec 2026.",
		"Mon 25:00-26:00":             "“Mon 25:00-26:00”: “25:00” is not a time. Write times like 7am, 3:30pm or 15:30.",
		"Mon 7m-8m":                   "“Mon 7m-8m”: “7m” is not a time. Write times like 7am, 3:30pm or 15:30.",
		"Mon 7am":                     "“Mon 7am”: “7am” lacks a beginning or an end. Write both, such as 7am-3pm.",
		"Mon 9-5":                     "“Mon 9-5”: “9-5” may mean the day or the night. Add am and pm, such as 9am-5pm, or write 09:00-17:00.",
		"Mon 9pm - 5":                 "“Mon 9pm - 5”: “9pm - 5” may mean the day or the night. Add am and pm, such as 9am-5pm, or write 09:00-17:00.",
		"Mon 9am-5":                   "“Mon 9am-5”: “9am-5” may mean the day or the night. Add am and pm, such as 9am-5pm, or write 09:00-17:00.",
		"Mon 13pm-2pm":                "“Mon 13pm-2pm”: “13pm” is not a time. Write times like 7am, 3:30pm or 15:30.",
		"Mon 9am-9am":                 "“Mon 9am-9am”: “9am-9am” begins and ends at the same time.",
		"31 Feb 2027 9-12":            "“31 Feb 2027 9-12”: 31 Feb 2027 is not a date. Write it like 25 Dec 2026.",
		"whenever":                    "“whenever”: Write the days and then the times, such as Mon-Fri 7am-3pm.",
		"Sun closed":                  "“Sun closed”: Say when you are open as well. A day without times is closed.",
		"Mon 9:00-12:00, 11:00-13:00": "Mon 09:00-12:00 and 11:00-13:00: these times overlap. Join or shorten them.",
	} {
		_, wrong := clock.TidyHours(text, []string{})
		check.Equal(t, wrong, want, "%q", text)
	}
}

func TestIdsOfAnotherShopAreDropped(t *testing.T) {
	t.Parallel()
	file := menu.Menu{
		Categories: []menu.Category{{ID: 900, Name: "Coffee", Items: []menu.Item{{ID: 901, Name: "Flat white", Groups: []int64{902}}, {ID: 903, Name: "Mocha"}}}},
		Groups:     []menu.Group{{ID: 902, Name: "size", Choices: []menu.Choice{{ID: 905, Name: "small"}, {ID: 906, Name: "Vast"}}}},
	}
	got := file.Adopt(cafe())
	items := got.Categories[0].Items
	if got.Categories[0].ID != 1 || items[0].ID != 11 || items[0].Groups[0] != 21 || items[1].ID != 0 || got.Groups[0].ID != 21 ||
		got.Groups[0].Choices[0].ID != 31 || got.Groups[0].Choices[1].ID != 0 {
		t.Errorf("%+v", got)
	}
}

func TestMergeKeepsItemsThatTheFileLacks(t *testing.T) {
	t.Parallel()
	m := cafe()
	got := m.Merge(menu.Menu{Categories: []menu.Category{{ID: 2, Name: "Food", Items: []menu.Item{{ID: 12, Name: "Tap Water"}, {Name: "Soup"}}}}})
	if len(got.Categories[0].Items) != 1 || len(got.Categories[1].Items) != 3 || len(got.Groups) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestHugeFilesAreRefusedBriefly(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"unknown columns":              strings.Repeat("x,", 100_000),
		"one column again":             strings.Repeat("name,", 100_000),
		"rows that are wrong":          "category,name,price\n" + strings.Repeat("a,b,x\n", 4_000),
		"a large number of categories": "category,name,price\n" + numbered(20_000, "c%d,b,1\n"),
		"a large number of items":      "category,name,price\n" + numbered(20_000, "c,i%d,1\n"),
		"an item without end":          "category,name,price\nc," + strings.Repeat("x", 1<<20) + ",1\n",
		"quotes without end":           "category,name,price\n" + strings.Repeat(`"`, 100_001),
		"a row without end":            "category,name,price\n" + strings.Repeat("x,", 100_000),
		"columns and a row":            "category,name,price" + strings.Repeat(",", 100_000) + "\n" + strings.Repeat(",", 100_000),
		"a large group":                "category,name,price,choice of\n" + numbered(20_000, "c,i%d,1,g\n"),
		"a large number of columns":    "category,name,price" + strings.Repeat(",", 1<<20) + "\n",
		"a large number of cells":      "category,name,price\n" + strings.Repeat(strings.Repeat(",", 1000)+"\n", 1100),
		"a large number of rows":       "category,name,price\n" + strings.Repeat(",,\n", 300_000),
	} {
		_, _, wrong := menu.ReadCSV([]byte(file), menu.State{})
		words := 0
		for _, w := range wrong {
			words += len(w.String())
		}
		if len(wrong) > 21 || words > 1<<16 {
			t.Errorf("%s: %d mistakes in %d bytes of text", name, len(wrong), words)
		}
		if large := strings.Contains(name, "large "); large && (len(wrong) != 1 || !strings.Contains(wrong[0].Text, "too large for a menu")) {
			t.Errorf("%s: want one mistake that says the file is too large: %v", name, wrong)
		}
	}
}

func TestAMessageRepeatsLittleOfAFile(t *testing.T) {
	t.Parallel()
	const table = "category,name,price"
	long := strings.Repeat("long", 1<<10)
	for name, file := range map[string]string{
		"a heading of quotes":   `"` + strings.Repeat(`""`, 1<<20) + `",` + table + "\n",
		"a heading":             long + "," + table + "\n",
		"a group":               table + ",option groups\nA,B,1," + long + "\n",
		"an allergen":           table + ",allergens\nA,B,1," + long + "\n",
		"hours":                 table + ",hours\nA,B,1," + long + "\n",
		"a day":                 table + ",hours\nA,B,1," + long + " 7am-3pm\n",
		"a date":                table + ",hours\nA,B,1,1 " + long + " 2026 7am-3pm\n",
		"a time":                table + ",hours\nA,B,1,7" + long + "-3pm\n",
		"a time without an end": table + ",hours\nA,B,1,7" + long + "\n",
	} {
		read, _, wrong := menu.ReadCSV([]byte(file), menu.State{})
		if len(wrong) == 0 {
			_, wrong = read.Check(nil)
		}
		if len(wrong) == 0 {
			t.Errorf("%s was accepted", name)
		}
		for _, w := range wrong {
			if text := w.String(); len(text) > 1000 {
				t.Errorf("%s: %d bytes: %.100s", name, len(text), text)
			}
		}
	}
}

func numbered(count int, line string) string {
	var all strings.Builder
	for n := range count {
		fmt.Fprintf(&all, line, n)
	}
	return all.String()
}
