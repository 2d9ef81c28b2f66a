package demo_test

import (
	"bytes"
	"image/png"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/qr"
)

// pathOf returns the SVG path of the code of an address.
func pathOf(t *testing.T, address string) string {
	t.Helper()
	code, err := qr.New(address)
	check.Must(t, err)
	return code.Path()
}

func TestTheBadge(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct{ name, query, shop, label, menu string }{
		{"at first (ROUTE-11 QR-09)", "", "Panezski", "Table 1", "/pos/panezski?t=1"},
		{"a table (QR-03 QR-06 QR-08)", "?client=moollar&table=7", "Moollar", "Table 7", "/pos/moollar?t=7"},
		{"a table with letters (QR-02)", "?client=sabona&table=A7", "Sabona", "Table A7", "/pos/sabona?t=A7"},
		{"no table (QR-05 QR-07)", "?client=tahbella&table=", "Tahbella", "Takeaway Order", "/pos/tahbella"},
		{"a blank table is no table", "?table=+++", "Panezski", "Takeaway Order", "/pos/panezski"},
		{"what is odd is encoded (QR-08)", "?table=" + url.QueryEscape(`"Röhre" & Söhne`), "Panezski", `Table "Röhre" & Söhne`, "/pos/panezski?t=%22R%C3%B6hre%22+%26+S%C3%B6hne"},
		{"the longest table", "?table=" + strings.Repeat("%F0%9F%91%A9", 64), "Panezski", "Table " + strings.Repeat("👩", 64), "/pos/panezski?t=" + strings.Repeat("%F0%9F%91%A9", 64)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := app.Visit(t, "/demo/qr"+tt.query)
			if v.Status != http.StatusOK || v.Find("path", "d="+pathOf(t, app.URL+tt.menu)) == nil {
				t.Errorf("%d; the code is not that of %s", v.Status, tt.menu)
			}
			v.Shows("svg", "width=128", "height=128", "aria-label=QR code for "+tt.label) // QR-04
			v.Has(tt.label, tt.shop, app.URL+tt.menu)
			if got := v.Texts("option"); len(got) != 4 || !strings.HasPrefix(got[0], "Panezski") {
				t.Errorf("QR-01 the choices are %q", got)
			}
			v.Shows("option", "value="+strings.ToLower(tt.shop), "selected=")
			app.Part(t, "/demo/qr"+tt.query, `<section id="badge"`)
		})
	}
}

func TestABusinessMissingFromTheDatabase(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Owner(t), "TRUNCATE shop CASCADE")
	v := app.Visit(t, "/demo/qr?client=moollar")
	v.Has("moollar", "Table 1")
	check.Equal(t, strings.Join(v.Texts("option"), " "), "panezski moollar sabona tahbella", "QR-01 QR-03 the choices")
}

func TestInvalidChoicesAreRefused(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for path, problem := range map[string]string{
		"/demo/qr?client=nosuch":                        "Choose one of the businesses",
		"/demo/qr?table=" + strings.Repeat("1", 65):     "Use at most 64 letters, digits or signs for the table",
		"/demo/qr?table=a%ff":                           "Use at most 64 letters, digits or signs for the table",
		"/demo/qr?table=%ff":                            "Use at most 64 letters, digits or signs for the table",
		"/demo/qr/print?tables=0":                       "Enter how many tables there are, from 1 to 200",
		"/demo/qr/print?tables=201":                     "Enter how many tables there are, from 1 to 200",
		"/demo/qr/print?tables=9999999999999999999999":  "Enter how many tables there are, from 1 to 200",
		"/demo/qr/print?tables=twelve&client=moollar":   "Enter how many tables there are, from 1 to 200",
		"/demo/qr/print?client=%3Cscript%3Exss&tables=": "Choose one of the businesses",
	} {
		v := app.Visit(t, path)
		if v.Status != http.StatusUnprocessableEntity || !strings.Contains(v.Text(), problem) {
			t.Errorf("%.60s: %d %s", path, v.Status, v.Text())
		}
		check.Lacks(t, v.Body, "<script>xss", "%.60s came back unescaped", path)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct{ path, media, filename, menu string }{
		{"/demo/qr/panezski.svg?table=7", "image/svg+xml", "panezski-table-7.svg", "/pos/panezski?t=7"},
		{"/demo/qr/moollar.png?table=7", "image/png", "moollar-table-7.png", "/pos/moollar?t=7"},
		{"/demo/qr/sabona.svg?table=", "image/svg+xml", "sabona-takeaway.svg", "/pos/sabona"},
		{"/demo/qr/sabona.svg", "image/svg+xml", "sabona-takeaway.svg", "/pos/sabona"},
		{"/demo/qr/panezski.svg?table=Garden+7", "image/svg+xml", "panezski-table-Garden-7.svg", "/pos/panezski?t=Garden+7"},
		{"/demo/qr/panezski.svg?table=%22..%2Fx", "image/svg+xml", "panezski-table-x.svg", "/pos/panezski?t=%22..%2Fx"},
		{"/demo/qr/panezski.png?table=%E3%81%82", "image/png", "panezski-table.png", "/pos/panezski?t=%E3%81%82"},
	} {
		got := app.Get(t, tt.path)
		if got.Status != http.StatusOK || got.Header.Get("Content-Type") != tt.media ||
			got.Header.Get("Content-Disposition") != `attachment; filename="`+tt.filename+`"` {
			t.Errorf("%s: %d %v", tt.path, got.Status, got.Header)
		}
		if tt.media == "image/png" {
			picture, err := png.Decode(bytes.NewReader([]byte(got.Body)))
			if err != nil || picture.Bounds().Dx() < 1024 {
				t.Errorf("%s: %v", tt.path, err)
			}
		} else if !strings.Contains(got.Body, pathOf(t, app.URL+tt.menu)) {
			t.Errorf("QR-07 %s is not the code of %s", tt.path, tt.menu)
		}
	}
	for _, path := range []string{
		"/demo/qr/nosuch.svg", "/demo/qr/panezski.gif", "/demo/qr/panezski", "/demo/qr/panezski.svg?table=a%ff", "/demo/qr/..%2fpanezski.svg",
	} {
		app.Get(t, path).Want(t, http.StatusNotFound, path)
	}
}

func TestTheSheet(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tables := range []string{"1", "13", "200"} {
		v := app.Visit(t, "/demo/qr/print?client=moollar&table=9&tables="+tables)
		check.Equal(t, strconv.Itoa(strings.Count(v.Body, `<svg class="qr-code"`)), tables, "tables: … codes")
		for _, table := range []string{"1", tables} {
			if v.Find("svg", "aria-label=QR code for Table "+table) == nil || v.Find("path", "d="+pathOf(t, app.URL+"/pos/moollar?t="+table)) == nil {
				t.Errorf("%s tables: there is no table %s", tables, table)
			}
		}
		if v.Follow("Back to the badge"); v.Value("table") != "9" || v.Value("tables") != tables {
			t.Errorf("the link back lost the choice: %s", v.Path)
		}
	}
}
