package desk_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fake"
	"forecourt/internal/upkeep/retention"
)

// details returns the form of a business as a browser sends it, with changes.
func details(change ...string) url.Values {
	form := url.Values{
		"name": {"Panezski"}, "accent": {"#b4432a"}, "currency": {"AUD"}, "country": {"AU"}, "timezone": {"Australia/Sydney"},
		"locations": {"Kitchen", "Bar", ""}, "logo": {"img/logo/panezski.svg"},
	}
	for i := 0; i < len(change); i += 2 {
		form.Set(change[i], change[i+1])
	}
	return form
}

// drawing returns a picture of two colours.
func drawing(w, h int, c color.Color) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for x := range w / 2 {
		for y := range h {
			img.Set(x, y, c)
		}
	}
	return img
}

func asPNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	check.Must(t, png.Encode(&b, img))
	return b.Bytes()
}

func asJPEG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	check.Must(t, jpeg.Encode(&b, img, nil))
	return b.Bytes()
}

var address = regexp.MustCompile("/picture/[0-9a-f]{32}")

// upload sends a file as Panezski's logo and returns its address.
func upload(t *testing.T, app *apptest.App, file []byte) string {
	t.Helper()
	app.PostFile(t, "/desk/panezski/shop", details(), "logo-file", file).Must(t, http.StatusSeeOther, "upload")
	return address.FindString(app.Get(t, "/desk/panezski/shop").Body)
}

func TestALogoIsShownWhereGuestsAndTheTeamLook(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	webp, _ := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
	kinds := map[string][]byte{"PNG": asPNG(t, drawing(900, 900, color.Black)), "JPEG": asJPEG(t, drawing(50, 20, color.White)), "WebP": webp}
	seen := map[string]bool{}
	for kind, file := range kinds {
		logo := upload(t, app, file)
		if logo == "" || seen[logo] || logo != upload(t, app, file) {
			t.Errorf("%s: the address %q does not depend on the content alone", kind, logo)
		}
		seen[logo] = true
	}
	logo := upload(t, app, kinds["PNG"])
	trx := app.Order(t)
	app.PostJSON(t, "/api/pay", map[string]any{"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"})
	paid := app.Get(t, "/pos/panezski/"+trx)
	receipt := regexp.MustCompile("/receipt/[0-9A-Za-z_-]+").FindString(paid.Body)
	for name, path := range map[string]string{
		"menu": "/pos/panezski", "order": "/pos/panezski/order", "payment page": "/pos/panezski/" + trx, "receipt": receipt, "desk": "/desk/panezski",
		"QR codes": "/demo/qr", "start page": "/",
	} {
		got := app.Get(t, path)
		check.Contains(t, got.Body, `src="`+logo+`"`, "%s does not show the logo: %d", name, got.Status)
	}
	api := apptest.JSON[struct{ Brand struct{ Logo string } }](t, app.Get(t, "/api/pos/panezski"))
	check.Equal(t, api.Brand.Logo, logo, "the API says")
	app.Post(t, "/desk/panezski/shop", details("logo", logo, "logo-off", "on"))
	apptest.Eventually(t, "the menu without the logo", func() bool { return !strings.Contains(app.Get(t, "/pos/panezski").Body, "/picture/") })
	for _, path := range []string{"/pos/panezski", "/desk/panezski", "/demo/qr", "/"} {
		if body := app.Get(t, path).Body; strings.Contains(body, "/picture/") || strings.Contains(body, `src=""`) || strings.Contains(body, `src="/static/"`) {
			t.Errorf("after the removal %s shows a picture, or a broken one", path)
		}
	}
}

func TestAPictureIsServedAlikeToEverybodyAndKept(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	logo := upload(t, app, asPNG(t, drawing(2800, 1400, color.Black)))
	for path, want := range map[string]image.Point{logo: {360, 180}, logo + "/large": {1200, 600}} {
		for name, person := range map[string]*apptest.App{"the owner": app, "a stranger": app.NewPerson(t)} {
			got := person.Get(t, path)
			c, err := jpeg.DecodeConfig(strings.NewReader(got.Body))
			if err != nil || (image.Point{c.Width, c.Height}) != want {
				t.Errorf("%s for %s: %d × %d, %v; want %v", path, name, c.Width, c.Height, err, want)
			}
			for header, value := range map[string]string{
				"Content-Type": "image/jpeg", "Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff", "Vary": "", "Set-Cookie": "",
			} {
				check.Equal(t, got.Header.Get(header), value, "%s for %s: %s", path, name, header)
			}
			check.Contains(t, got.Header.Get("Content-Security-Policy"), "default-src 'none'", "%s: policy", path)
			person.Do(t, http.MethodGet, path, nil, http.Header{"If-None-Match": {got.Header.Get("Etag")}}).Want(t, http.StatusNotModified,
				path+" revalidated")
		}
	}
	for _, path := range []string{"/picture/" + strings.Repeat("0", 32), "/picture/x", logo + "/huge", strings.ToUpper(logo), "/picture/..%2f..%2fetc"} {
		if got := app.Get(t, path); got.Status != http.StatusNotFound || strings.Contains(got.Header.Get("Cache-Control"), "public") {
			t.Errorf("%s: %d, %s", path, got.Status, got.Header.Get("Cache-Control"))
		}
	}
}

func TestARefusedFileKeepsTheForm(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	whole := asJPEG(t, drawing(600, 600, color.Black))
	for name, tt := range map[string]struct {
		file   []byte
		status int
		want   string
	}{
		"HEIC":            {append([]byte("\x00\x00\x00\x18ftypheic"), make([]byte, 100)...), 422, "This picture is in HEIC format, which browsers cannot show. Choose it on the phone that took it, or save it as JPEG first."},
		"truncated":       {whole[:len(whole)/2], 422, "This file is damaged or incomplete. Choose it again."},
		"a script":        {[]byte("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"), 422, "This file is not a JPEG, PNG or WebP picture."},
		"11 MB":           {append(whole, make([]byte, 11_000_000)...), 422, "This file is larger than 10 MB. Choose a smaller one."},
		"20 MB":           {append(whole, make([]byte, 20_000_000)...), 413, "This file is larger than 10 MB. Choose a smaller one."},
		"64 gigapixels":   {fake.PNG(250_000, 256_000, 8, 6, 0), 422, "This picture has more than 40 megapixels."},
		"a gigabyte":      {fake.JPEG{Width: 6300, Height: 6300, Components: 4}.Bytes(), 422, "takes too long to read"},
		"a moving flower": {[]byte("RIFF\x1e\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x09\x00\x00\x09\x00\x00ANIM"), 422, "This picture is animated."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := app.PostFile(t, "/desk/panezski/shop", details("tagline", "Typed with care"), "logo-file", tt.file)
			got.Want(t, tt.status, "app.PostFile", tt.want, `href="#logo-file"`)
			check.Contains(t, got.Body, `value="Typed with care"`, "the form lost the logo or what was typed")
			check.Contains(t, got.Body, `name="logo" value="img/logo/panezski.svg"`, "the form lost the logo or what was typed")
		})
	}
}

func TestAFormWithMistakesKeepsItsFile(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	got := app.PostFile(t, "/desk/panezski/shop", details("name", ""), "logo-file", asPNG(t, drawing(60, 60, color.Black)))
	logo := address.FindString(got.Body)
	if got.Status != http.StatusUnprocessableEntity || logo == "" || !strings.Contains(got.Body, `name="logo" value="`+logo+`"`) {
		t.Fatalf("%d: the form does not hold the picture that arrived", got.Status)
	}
	check.Lacks(t, app.Get(t, "/pos/panezski").Body, logo, "guests see the picture before the form is saved")
	app.Post(t, "/desk/panezski/shop", details("logo", logo))
	apptest.Eventually(t, "the logo on the menu", func() bool { return strings.Contains(app.Get(t, "/pos/panezski").Body, logo) })
}

func TestAShopShowsOnlyItsOwnPictures(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	got := app.PostFile(t, "/desk/moollar/shop", details("name", "Moollar", "logo", ""), "logo-file", asPNG(t, drawing(60, 60, color.Black)))
	theirs := address.FindString(app.Get(t, "/desk/moollar/shop").Body)
	if got.Status != http.StatusSeeOther || theirs == "" {
		t.Fatalf("%d %q", got.Status, theirs)
	}
	for _, forged := range []string{theirs, "/picture/" + strings.Repeat("a", 32), "https://example.com/x.png", "javascript:alert(1)", "img/logo/moollar.svg"} {
		app.Post(t, "/desk/panezski/shop", details("logo", forged))
		check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT logo FROM shop WHERE code = 'panezski'"), "img/logo/panezski.svg",
			"the logo became … by %q", forged)
	}
}

func TestAShopsPicturesAreLimited(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	mine := upload(t, app, asPNG(t, drawing(60, 60, color.Black)))
	fill := func(n, size int) {
		t.Helper()
		dbtest.Exec(t, app.Pool, `WITH gone AS (DELETE FROM picture WHERE octet_length(small) IN (1, 15 << 20))
			INSERT INTO picture (hash, shop_code, small, large) SELECT md5(random()::text), 'panezski', b, b FROM generate_series(1, $1::int), decode(repeat('00', $2::int), 'hex') b`, n, size)
	}
	for name, full := range map[string]func(){"2000 pictures": func() { fill(1999, 1) }, "300 MB": func() { fill(10, 15<<20) }} {
		full()
		got := app.PostFile(t, "/desk/panezski/shop", details(), "logo-file", asPNG(t, drawing(70, 70, color.White)))
		got.Want(t, http.StatusConflict, name, "Your business has reached the limit for pictures.")
		check.Equal(t, upload(t, app, asPNG(t, drawing(60, 60, color.Black))), mine, "%s: a picture that the shop already has is refused", name)
	}
}

func TestUnusedPicturesAreDeleted(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	first, second := upload(t, app, asPNG(t, drawing(60, 60, color.Black))), upload(t, app, asPNG(t, drawing(70, 70, color.White)))
	dish := upload(t, app, asPNG(t, drawing(80, 80, color.White)))
	upload(t, app, asPNG(t, drawing(70, 70, color.White)))
	exec := func(statement string, args ...any) {
		t.Helper()
		dbtest.Exec(t, app.Pool, statement, args...)
	}
	exec("UPDATE item SET picture = $1 WHERE shop_code = 'panezski' AND name = 'Cherry Pie'", dish)
	run := func(dry bool) retention.Result {
		t.Helper()
		results, err := retention.Run(t.Context(), app.Pool, retention.Order{Limits: retention.Limits{Pictures: 90}, DryRun: dry, By: "tester"})
		if err != nil || results[0].Kind != "pictures" {
			t.Fatal(results, err)
		}
		return results[0]
	}
	if got := run(false); got.Found != 0 || got.Deleted != 0 {
		t.Errorf("just replaced: %+v", got)
	}
	exec("UPDATE picture SET unused_since = unused_since - interval '91 days'")
	if got := run(true); got.Found != 1 || got.Deleted != 0 {
		t.Errorf("a dry run: %+v", got)
	}
	if got := run(false); got.Found != 1 || got.Deleted != 1 {
		t.Errorf("after 91 days: %+v", got)
	}
	for path, want := range map[string]int{first: 404, second: 200, dish: 200} {
		app.Get(t, path).Want(t, want, path)
	}
	exec("UPDATE item SET picture = '' WHERE picture = $1", dish)
	run(false)
	exec("UPDATE picture SET unused_since = unused_since - interval '91 days'")
	exec("UPDATE item SET picture = $1 WHERE shop_code = 'panezski' AND name = 'Cherry Pie'", dish)
	got := run(false)
	check.Equal(t, got.Deleted, 0, "a picture that was used again in time is deleted: %+v", got)
}

// pie returns the form of Panezski's Cherry Pie as a browser sends it, with changes.
func pie(t *testing.T, app *apptest.App, change ...string) (path string, form url.Values) {
	t.Helper()
	var id, category int64
	check.Must(t, app.Pool.QueryRow(t.Context(),
		"SELECT id, category_id FROM item WHERE shop_code = 'panezski' AND name = 'Cherry Pie'").Scan(&id, &category))
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
	app := apptest.SignedIn(t)
	path, form := pie(t, app)
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
	app := apptest.SignedIn(t)
	path, form := pie(t, app, "name", "Plum Pie", "priceMinor", "dear")
	got := app.PostFile(t, path, form, "picture-file", []byte("\x00\x00\x00\x18ftypheic0000000000"))
	for _, want := range []string{`value="Plum Pie"`, `value="dear"`, "Enter a price like 4.50.", `href="#picture-file"`,
		"This picture is in HEIC format"} {
		got.Want(t, http.StatusUnprocessableEntity, "a refused file, the page lacks", want)
	}
	got = app.PostFile(t, path, form, "picture-file", asPNG(t, drawing(60, 60, color.White)))
	kept := address.FindString(got.Body)
	if got.Status != http.StatusUnprocessableEntity || kept == "" || !strings.Contains(got.Body, `name="picture" value="`+kept+`"`) {
		t.Fatalf("%d: the form does not hold the picture that arrived", got.Status)
	}
	form.Set("picture", kept)
	form.Set("priceMinor", "9.50")
	app.Post(t, path, form).Want(t, http.StatusSeeOther, "saved at last")
	check.Contains(t, app.Get(t, path).Body, kept, "saved at last")
}

func TestAnItemShowsOnlyPicturesOfItsShop(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for _, forged := range []string{"/picture/" + strings.Repeat("a", 32), "https://example.com/x.png", "img/logo/panezski.svg"} {
		path, form := pie(t, app, "picture", forged)
		app.Post(t, path, form)
		check.Equal(t, app.Visit(t, path).Value("picture"), "", "%q became", forged)
	}
}

func TestAMenuFileNamesOnlyPicturesOfItsShop(t *testing.T) {
	t.Parallel()
	ann := apptest.New(t, apptest.Options{})
	owner := ann.NewPerson(t).SignIn(t)
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
