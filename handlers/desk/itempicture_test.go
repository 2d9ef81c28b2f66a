package desk_test

import (
	"image/color"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
)

// pie returns the form of Panezski's Cherry Pie as a browser sends it, with changes.
func pie(t *testing.T, app *apptest.App, change ...string) (path string, form url.Values) {
	t.Helper()
	var id, category int64
	must.NoError(t, app.Pool.QueryRow(t.Context(), "SELECT id, category_id FROM item WHERE shop_code = 'panezski' AND name = 'Cherry Pie'").Scan(&id, &category))
	path = "/desk/panezski/menu/item/" + strconv.FormatInt(id, 10)
	page := app.Visit(t, path)
	form = url.Values{
		"loc": {"Kitchen"}, "available": {"on"}, "allergens": {"unknown"}, "description": {"Sour cherries"},
		"category": {strconv.FormatInt(category, 10)},
	}
	for _, name := range []string{"revision", "name", "priceMinor", "picture"} {
		form.Set(name, page.Value(name))
	}
	for i := 0; i < len(change); i += 2 {
		form.Set(change[i], change[i+1])
	}
	return path, form
}

func TestAnItemGetsAPicture(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	path, form := pie(t, app)
	must.Equal(t, form.Get("picture"), "img/pictures/pie.svg", "the form holds")
	app.PostFile(t, path, form, "picture-file", asPNG(t, drawing(900, 900, color.Black))).Must(t, http.StatusSeeOther, "app.PostFile")
	shown := address.FindString(app.Get(t, path).Body)
	if shown == "" || strings.Contains(app.Get(t, "/pos/panezski").Body, shown) {
		t.Errorf("the draft has no picture, or guests see %q before it is published", shown)
	}
	app.Visit(t, "/desk/panezski/menu/publish").Press("Publish").Has("Published.")
	apptest.Eventually(t, "guests see the picture", func() bool {
		return strings.Contains(app.Get(t, "/pos/panezski").Body, `src="`+shown+`"`)
	})
	_, form = pie(t, app, "picture-off", "on")
	app.Post(t, path, form).Must(t, http.StatusSeeOther, "the answer")
	check.Equal(t, app.Visit(t, path).Value("picture"), "", "the picture was not removed")
}

func TestARefusedPictureKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	path, form := pie(t, app, "name", "Plum Pie", "priceMinor", "dear")
	got := app.PostFile(t, path, form, "picture-file", []byte("\x00\x00\x00\x18ftypheic0000000000"))
	for _, want := range []string{`value="Plum Pie"`, `value="dear"`, "Enter a price like 4.50.", `href="#picture-file"`, "This picture is in HEIC format", `value="img/pictures/pie.svg"`} {
		got.Want(t, http.StatusUnprocessableEntity, "a refused file, the page lacks", want)
	}
	got = app.PostFile(t, path, form, "picture-file", asPNG(t, drawing(60, 60, color.White)))
	kept := address.FindString(got.Body)
	if got.Status != http.StatusUnprocessableEntity || kept == "" || !strings.Contains(got.Body, `name="picture" value="`+kept+`"`) {
		t.Fatalf("%d: the form does not hold the picture that arrived", got.Status)
	}
	form.Set("picture", kept)
	form.Set("priceMinor", "9.50")
	if got := app.Post(t, path, form); got.Status != http.StatusSeeOther || !strings.Contains(app.Get(t, path).Body, kept) {
		t.Errorf("saved at last: %d", got.Status)
	}
}

func TestAnItemShowsOnlyPicturesOfItsShop(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	for _, forged := range []string{"/picture/" + strings.Repeat("a", 32), "https://example.com/x.png", "img/pictures/bread.svg"} {
		path, form := pie(t, app, "picture", forged)
		app.Post(t, path, form)
		check.Equal(t, app.Visit(t, path).Value("picture"), "img/pictures/pie.svg", "%q became", forged)
	}
}

func TestAMenuFileNamesOnlyPicturesOfItsShop(t *testing.T) {
	t.Parallel()
	ann := apptest.New(t, apptest.Options{})
	owner := ann.NewPerson(t)
	owner.SignIn(t)
	shopOf(t, ann, "ann@example.com")
	shown := upload(t, owner, asPNG(t, drawing(60, 60, color.Black)))
	const refused = "The business has no such picture. Upload it again, or leave it out."
	table := "category,name,price,picture\nSoups,Leek,9,\nSoups,Onion,9," + shown + "\n"
	const foreign, own = "/desk/anns/menu/import", "/desk/panezski/menu/import"
	for _, way := range []string{"add", "replace"} {
		v := ann.Read(t, foreign, ann.PostFile(t, foreign, url.Values{"way": {way}}, "file", []byte(table)))
		v.Has("Onion: " + refused).HasNot("Leek: ")
		check.Equal(t, v.Status, http.StatusUnprocessableEntity, "%s", way)
	}
	v := owner.Read(t, own, owner.PostFile(t, own, url.Values{"way": {"add"}}, "file", []byte(table)))
	v.Press("Import 3 changes into the draft")
	exported := owner.Get(t, "/desk/panezski/menu/export/menu.csv").Body // an export of the same shop
	answer := owner.PostFile(t, own, url.Values{"way": {"replace"}}, "file", []byte(exported))
	if owner.Read(t, own, answer).HasNot(refused); answer.Status != http.StatusOK || !strings.Contains(exported, shown) {
		t.Errorf("an export of the same shop: %d", answer.Status)
	}
	// The form of the comparison could hold any file.
	answer = ann.Post(t, foreign, url.Values{"text": {table}, "revision": {"0"}})
	ann.Read(t, foreign, answer).Has("Onion: " + refused)
	answer.Want(t, http.StatusUnprocessableEntity, "the text of a comparison")
	ann.Visit(t, "/desk/anns/menu").HasNot("Onion")
}
