package desk_test

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/qr"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

func TestTheBooksAreDownloaded(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	id := sale(t, app, "4111111111111111", "")
	app.Visit(t, "/desk/panezski").Follow("Exports").Has("A spreadsheet (CSV)", "A statement (PDF)").HasNot("Long tables")
	const path = "/desk/panezski/exports"
	span := url.Values{"do": {"table"}, "from": {"2020-01-01"}, "to": {"2099-12-31"}}
	for kind, want := range map[string]string{"payments": id, "lines": "Butter Croissant", "refunds": "asked by", "disputes": "gateway id",
		"payouts": "gross,fees,net"} {
		span.Set("kind", kind)
		got := app.Post(t, path, span)
		if got.Status != http.StatusOK || got.Header.Get("Content-Type") != "text/csv; charset=utf-8" || !strings.HasPrefix(got.Body, "\ufeffdate,time,zone,") ||
			!strings.Contains(got.Body, want) || got.Header.Get("Content-Disposition") != `attachment; filename="panezski-`+kind+`-2020-01-01-to-2099-12-31-test.csv"` {
			t.Errorf("%s: %d %v %s", kind, got.Status, got.Header, got.Body)
		}
	}
	for form, want := range map[string]string{
		"do=table&kind=payments&from=2026-02-01&to=2026-01-31": "Enter the first day or a later one", "do=table&kind=payments&from=x&to=2026-01-31": "Enter a day like",
		"do=table&kind=cards&from=2026-01-01&to=2026-01-31": "Choose what to download", "do=statement&month=2026-13": "Enter a month like", "do=statement": "Enter a month like",
	} {
		values, err := url.ParseQuery(form)
		check.Must(t, err)
		app.Post(t, path, values).Want(t, http.StatusUnprocessableEntity, form, want)
	}
	got := app.Post(t, path, url.Values{"do": {"statement"}, "month": {"2026-11"}})
	if got.Status != http.StatusOK || !strings.HasPrefix(got.Body, "%PDF-") {
		t.Errorf("the statement: %d", got.Status)
	}
	logged := dbtest.Value[string](t, app.Pool, "SELECT string_agg(split_part(reason, ',', 1), ' ' ORDER BY reason) FROM audit WHERE action = 'export' AND subject = 'shop panezski'")
	check.Equal(t, logged, "disputes lines payments payouts refunds statement", "the log")
}

// A till may give its orders any reference.
func TestAnOrderOfATillIsAnOrderInTheBooks(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	id := apptest.JSON[struct{ TrxID string }](t, app.PostJSON(t, "/api/pos", map[string]any{
		"merchantId": "panezski", "order": []map[string]any{{"name": "Butter Croissant", "qty": 2}}, "table": "4", "source": "till", "trxRef": "INV-7",
	})).TrxID
	paid := app.PostJSON(t, "/api/pay", map[string]any{"merchantId": "panezski", "trxId": id, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"})
	paid.Must(t, http.StatusOK, "paying")
	got := app.Post(t, "/desk/panezski/exports", url.Values{"do": {"table"}, "kind": {"payments"}, "from": {"2020-01-01"}, "to": {"2099-12-31"}})
	check.Contains(t, got.Body, id+",order,", "the table: %d", got.Status)
	app.Visit(t, "/desk/panezski/payments").Has("Table 4").HasNot("Pay link ·")
	app.Visit(t, "/desk/panezski/payments/"+id).Has("Ordered for $11.00", "Butter Croissant").HasNot("Pay link ·", "Pay link made")
}

func TestALongTableIsMailedWhenItIsReady(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	past(t, app, 20_001)
	app.Backfill(t, "UPDATE attempt SET state = 'approved', settled_at = created_at")
	got := app.Post(t, "/desk/panezski/exports", url.Values{"do": {"table"}, "kind": {"payments"}, "from": {"2020-01-01"}, "to": {"2099-12-31"}})
	got.Must(t, http.StatusSeeOther, "/desk/panezski/exports")
	app.Visit(t, got.Location).Has("We are preparing your export", "It will start in a moment.", "Check again")
	app.Get(t, got.Location+"/file").Want(t, http.StatusNotFound, "before the table is made")
	app.WorkQueue(t)
	apptest.Eventually(t, "the table is made", func() bool {
		return strings.Contains(app.Get(t, got.Location).Body, "Your export is ready")
	})
	letter := app.Letter(t, "demo@forecourt.test", "Your export is ready") // others may come, such as the summary of a day
	check.Contains(t, letter.Plain, app.URL+got.Location, "the letter")
	app.Visit(t, got.Location).Has("Your export is ready", "20,001 records", "Download (CSV)")
	app.Visit(t, "/desk/panezski/exports").Has("Long tables", "Ready")
	file := app.Get(t, got.Location+"/file")
	if file.Status != http.StatusOK || strings.Count(file.Body, "\r\n") != 20_002 {
		t.Errorf("%d with %d lines", file.Status, strings.Count(file.Body, "\r\n"))
	}
	check.Lacks(t, app.NewPerson(t).Get(t, got.Location+"/file").Body, "past-", "a visitor who is not signed in can read the table")
}

func TestPagesOfTestClosingsLeadToTestClosings(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for _, tt := range []struct {
		live        bool
		query, want string
	}{
		{false, "before=9", "/desk/panezski/closings"},
		{true, "before=9", "/desk/panezski/closings"},
		{true, "before=9&mode=test", "/desk/panezski/closings?mode=test"},
	} {
		dbtest.Exec(t, app.Pool, "UPDATE shop SET live = $1 WHERE code = 'panezski'", tt.live)
		body := app.Get(t, "/desk/panezski/closings?"+tt.query).Body
		check.Contains(t, body, `href="`+tt.want+`">Newest</a>`, "live %t, %s: Newest does not lead to %s", tt.live, tt.query, tt.want)
	}
}

func TestADayIsClosedOnScreenAndAnybodyCanCheckIt(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	sale(t, app, "4111111111111111", "")
	v := app.Visit(t, "/desk/panezski").Follow("End of day").Has("No day is closed yet").Press("Close the day")
	v.Has("Close "+dbtest.Value[time.Time](t, app.Pool, "SELECT now() AT TIME ZONE time_zone - interval '5 hours' FROM shop WHERE code = 'panezski'").
		Format("2 January")+"?", "$11.00 net from 1 payment. You can close a day only once.", "All, in AUD", "$11.00 from 1 payment",
		" AE").HasNot("UTC")
	v = v.Type("cash", "12,50").Press("Close the day").Has("Enter an amount like 12.50", "You can close a day only once.")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM closing"), 0, "closings before the page is confirmed")
	v = v.Type("cash", "$1,250.5").Press("Close the day")
	v.Has("The day is closed.", "End of day no. 1", "Counted again just now: they agree", "Card", "All, in AUD", "$11.00",
		"Counted cash $1,250.50")
	app.Visit(t, "/desk/panezski/closings").Has("is closed: see its figures", "No. 1").HasNot("Close the day")
	for _, do := range []string{"preview", "close"} {
		again := app.Post(t, "/desk/panezski/closings", url.Values{"do": {do}, "cash": {"9"}})
		check.Equal(t, again.Location, "/desk/panezski/closings/test-1?done=already", "%s again: %d", do, again.Status)
	}
	check.Contains(t, check.PDFText(t, app.Get(t, "/desk/panezski/closings/test-1/closing.pdf").Body), "Counted cash: $1,250.50", "the print")
	app.Visit(t, "/desk/panezski/closings/test-1?done=already").Has("The day was already closed").Follow("Check its signature").
		Has("This end of day is genuine", "Test mode: no real money moved.", "No. 1", "1 paid, $11.00")
	if pdf := app.Get(t, "/desk/panezski/closings/test-1/closing.pdf"); !strings.HasPrefix(pdf.Body, "%PDF-") || pdf.Header.Get("Content-Type") != "application/pdf" {
		t.Errorf("%d %v", pdf.Status, pdf.Header)
	}
	for _, missing := range []string{"1", "test-2", "test-01", "test-0", "test-99999999999", "x"} {
		app.Get(t, "/desk/panezski/closings/"+missing).Want(t, http.StatusNotFound, "closing "+missing)
	}
	file := app.Get(t, "/desk/panezski/closings/test-1/closing.json").Body
	if bytes.Contains([]byte(file), []byte("demo@forecourt.test")) {
		t.Error("the file names who closed the day")
	}
	anybody := app.NewPerson(t)
	for name, tt := range map[string]struct{ file, want string }{
		"as it was":         {file, "This end of day is genuine"},
		"another amount":    {strings.Replace(file, "11.00", "9.00", 1), "Do not trust this end of day"},
		"another number":    {strings.Replace(file, `"number": 1`, `"number": 2`, 1), "Do not trust this end of day"},
		"real payments":     {strings.Replace(file, `"test"`, `"live"`, 1), "Do not trust this end of day"},
		"another signature": {strings.Replace(file, `"signature": "`, `"signature": "AAAA`, 1), "Do not trust this end of day"},
		"without totals": {file[:strings.Index(file, `"totals"`)] + `"totals": [],` + file[strings.Index(file, `"signature"`):],
			"Do not trust this end of day"},
		"another word": {strings.Replace(file, "{", `{"owed": "1.00",`, 1), "That is not the file of an end of day"},
		"a number twice": {strings.Replace(file, `"number": 1`, `"number": 2, "number": 1`, 1),
			"That is not the file of an end of day as it was downloaded"},
		"half":             {file[:len(file)/2], "That is not the file of an end of day"},
		"nothing":          {"", "That is not the file of an end of day"},
		"a receipt's code": {"AAAA.BBBB", "That is not the whole code of a receipt"},
	} {
		pasted := anybody.Post(t, "/receipt/verify", url.Values{"text": {tt.file}})
		uploaded := anybody.PostFile(t, "/receipt/verify", nil, "file", []byte(tt.file))
		check.Contains(t, pasted.Body, tt.want, "%s", name)
		check.Contains(t, uploaded.Body, tt.want, "%s", name)
	}
}

func TestABusinessMakesFewExportsAtOnce(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	export := func() apptest.Answer {
		return app.Post(t, "/desk/panezski/exports", url.Values{"do": {"table"}, "kind": {"refunds"}, "from": {"2020-01-01"}, "to": {"2099-12-31"}})
	}
	tx, err := app.Pool.Begin(t.Context())
	check.Must(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	dbtest.Exec(t, tx, "LOCK TABLE payout")
	answers := make(chan int, 2)
	for range 2 {
		go func() { answers <- export().Status }()
	}
	apptest.Eventually(t, "two exports wait for the database", func() bool {
		return dbtest.Value[int](t, app.Pool,
			"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query ~ 'ExportCount'") == 2
	})
	export().Want(t, http.StatusConflict, "the third", "Other exports are being prepared just now")
	check.Must(t, tx.Rollback(t.Context()))
	for range 2 {
		check.Equal(t, <-answers, http.StatusOK, "one of two")
	}
	export().Want(t, http.StatusOK, "after the two")
}

func pathOf(t *testing.T, address string) string {
	t.Helper()
	code, err := qr.New(address)
	check.Must(t, err)
	return code.Path()
}

func TestTablesNoticeWhoElseChangedThem(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	mine, theirs := app.Visit(t, "/desk/panezski/tables"), app.Visit(t, "/desk/panezski/tables")
	theirs.Type("area.0", "Bar").Type("tables.0", "Window").Press("Save tables").Has("Saved.")
	mine = mine.Type("tables.0", "1-3").Press("Save tables").
		Has("Somebody has changed the tables meanwhile, to", "Bar: Window").HasNot("Saved.")
	app.Visit(t, "/desk/panezski/tables").Has("Bar").HasNot("Table 3")
	mine.Press("Save tables").Has("Saved.", "Table 3").HasNot("Table Window")
	app.Post(t, "/desk/panezski/tables", url.Values{"tables": {"1-12"}}).Want(t, http.StatusBadRequest, "a form without rows")
}

func TestAsManyTablesAsThereMayBeAreSaved(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	page := app.Visit(t, "/desk/panezski/tables")
	for _, name := range []string{"茶", "🍵"} { // the second after the first, which the form then sends back
		rows := url.Values{"seen": {page.Value("seen")}}
		for n := range 500 {
			rows.Set(fmt.Sprintf("area.%d", n), fmt.Sprintf("%s%03d", strings.Repeat(name, 37), n))
			rows.Set(fmt.Sprintf("tables.%d", n), fmt.Sprintf("%s%03d", strings.Repeat(name, 17), n))
		}
		app.Post(t, "/desk/panezski/tables", rows).Want(t, http.StatusSeeOther, "500 tables of "+name)
		page = app.Visit(t, "/desk/panezski/tables")
	}
	check.Equal(t, page.Value("tables.499"), strings.Repeat("🍵", 17)+"499", "the last table")
}

func TestTheFormOfAsManyChoicesAsThereMayBeArrives(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	page := app.Visit(t, "/desk/panezski/menu/group/new")
	form := url.Values{"revision": {page.Value("revision")}, "name": {"Tea"}, "way": {"one"}, "do": {"save"}}
	for n := range menu.MostChoices {
		at := view.Row(n)
		form.Set(at+"name", fmt.Sprintf("%s%03d", strings.Repeat("🍵", menu.MostName-3), n))
		form.Set(at+"priceMinor", "1.00")
		form.Set(at+"available", "on")
		form.Set(at+"allergens", view.Some)
		for _, one := range menu.Allergens {
			form.Set(at+view.FoodField+one.Code, "mayContain")
		}
	}
	got := app.Post(t, "/desk/panezski/menu/group/new", form)
	if got.Status != http.StatusSeeOther {
		t.Errorf("%d choices: %d %s", menu.MostChoices, got.Status, regexp.MustCompile(`(?s)id="problems".*?</ul>`).FindString(got.Body))
	}
}

func TestTheCodesOfTables(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	v := app.Visit(t, "/desk/panezski/tables").Type("area.0", "Inside").Type("tables.0", "1-7").
		Type("area.1", "Terrace").Type("tables.1", "A & B").
		Press("Save tables")
	v.Follow("Table A & B").Has("Table A & B", "Terrace", "Panezski", app.URL+"/pos/panezski?t=A+%26+B")
	if v.Find("path", "d="+pathOf(t, app.URL+"/pos/panezski?t=A+%26+B")) == nil || v.Find("path", "d=M0 0h1v1H0z", "fill=#b4532a") == nil && v.Find("svg", "class=qr-band") == nil {
		t.Error("the card has the wrong code, or no colour")
	}
	svg := app.Get(t, "/desk/panezski/tables/code.svg?t=A+%26+B")
	branded, err := qr.NewBranded(app.URL+"/pos/panezski?t=A+%26+B", qr.Look{})
	check.Must(t, err)
	for _, part := range []string{`fill="#b4432a"`, `d="` + branded.Path() + `"`, `href="data:image/svg+xml;base64,`} {
		check.Contains(t, svg.Body, part, "the SVG lacks")
	}
	check.Equal(t, svg.Header.Get("Content-Disposition"), `attachment; filename="panezski-table-A--B.svg"`,
		"SVG: %d %v", svg.Status, svg.Header)
	picture, err := png.Decode(bytes.NewReader([]byte(app.Get(t, "/desk/panezski/tables/code.png").Body)))
	if err != nil || picture.Bounds().Dx() < 1024 {
		t.Errorf("PNG: %v", err)
	}
	for _, path := range []string{"/desk/panezski/tables/code?t=9", "/desk/moollar/tables/code?t=1", "/desk/moollar/tables/code.png?t=1"} {
		app.Get(t, path).Want(t, http.StatusNotFound, path)
	}
	for query, codes := range map[string]int{
		"": 8, "?format=a4-stickers&area=*": 8, "?format=letter&area=Terrace": 1, "?area=Garden": 0, "?area=": 0, "?format=nonsense": 8,
	} {
		page := app.Visit(t, "/desk/panezski/tables/print"+query)
		check.Equal(t, strings.Count(page.Body, `<svg class="qr-code"`), codes, "%s: … codes", query)
	}
	app.Visit(t, "/desk/moollar/tables/print?format=letter-stickers").Has("30 codes to print", "Takeaway Order")
}

func TestItemsSoldByItemCategoryAndHour(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Visit(t, "/desk/panezski").Follow("Items sold").Has("Nothing was sold in these days")
	now, before := sale(t, app, "4111111111111111", ""), sale(t, app, "5555555555554444", "")
	dbtest.Exec(t, app.Pool, "UPDATE movement SET moved_at = moved_at - interval '7 days' WHERE transaction_id = $1", before)
	v := app.Visit(t, "/desk/panezski/sold").Has("Sold for $11.00 The same as $11.00 in the days before", "Items 2 2 before",
		"Butter Croissant2 sold · 7 days before: $11.00 $11.00")
	category := dbtest.Value[string](t, app.Pool, `SELECT c.name FROM order_line l JOIN item i ON i.id = l.item_id
		JOIN category c ON c.id = i.category_id WHERE l.transaction_id = $1`, now)
	check.Contains(t, v.Text(), category+"2 sold · 7 days before: $11.00 $11.00", "by category")
	app.Post(t, "/desk/panezski/payments/"+now+"/refund", preview(t, app, now, url.Values{
		"how": {"lines"}, "qty-1": {"1"}, "reason": {"x"},
	})).Must(t, http.StatusSeeOther, "a refund of one")
	app.Visit(t, "/desk/panezski/sold").Has("Sold for $5.50 Down from $11.00", "Butter Croissant1 sold · 7 days before: $11.00 $5.50")
	app.Visit(t, "/desk/panezski/sold").Follow("Today").Has("Butter Croissant1 sold · the day before: $0.00 $5.50")
	app.Get(t, "/desk/panezski/sold?from=2026-01-01&to=2026-02-01").
		Want(t, http.StatusUnprocessableEntity, "32 days", "Choose at most 31 days")
	app.Get(t, "/desk/panezski/sold?from=2026-01-02&to=2026-01-01").Want(t, http.StatusUnprocessableEntity, "backwards")
	app.Get(t, "/desk/panezski/sold?from=x").Want(t, http.StatusUnprocessableEntity, "no day", "Enter a day")
	dbtest.Exec(t, app.Pool, "UPDATE movement SET test_mode = false WHERE transaction_id = $1", now)
	app.Visit(t, "/desk/panezski/sold").Has("Sold for $0.00", "Butter Croissant0 sold · 7 days before: $11.00 $0.00")
	app.Visit(t, "/desk/panezski/sold").Follow("Download each line (CSV)").Has("A spreadsheet (CSV)")
	lines := url.Values{"do": {"table"}, "kind": {"lines"}, "from": {"2020-01-01"}, "to": {"2099-12-31"}}
	check.Contains(t, app.Post(t, "/desk/panezski/exports", lines).Body, ",test,item,"+category, "the lines")
}
