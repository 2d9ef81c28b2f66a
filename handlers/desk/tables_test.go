package desk_test

import (
	"bytes"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
	"forecourt/internal/kit/qr"
)

func pathOf(t *testing.T, address string) string {
	t.Helper()
	code, err := qr.New(address)
	must.NoError(t, err)
	return code.Path()
}

func TestTheCodesOfTables(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	v := app.Visit(t, "/desk/panezski/tables").Type("tables", "Inside: 1-7\nTerrace: A & B").Press("Save tables")
	v.Follow("Code of Table A & B").Has("Table A & B", "Terrace", "Panezski", app.URL+"/pos/panezski?t=A+%26+B")
	if v.Find("path", "d="+pathOf(t, app.URL+"/pos/panezski?t=A+%26+B")) == nil || v.Find("path", "d=M0 0h1v1H0z", "fill=#b4532a") == nil && v.Find("svg", "class=qr-band") == nil {
		t.Error("the card has the wrong code, or no colour")
	}
	svg := app.Get(t, "/desk/panezski/tables/code.svg?t=A+%26+B")
	branded, err := qr.NewBranded(app.URL+"/pos/panezski?t=A+%26+B", qr.Look{})
	must.NoError(t, err)
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
