package desk_test

import (
	"image/color"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
)

func TestANewBusinessGetsItsLogo(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	form := details("m", withMerchant(t, app, "ann@example.com", "Ann's Apples"), "code", "panezski")
	form.Del("logo")
	logo := asPNG(t, drawing(400, 400, color.NRGBA{R: 180, G: 67, B: 42, A: 255}))

	refused := app.PostFile(t, "/desk/new", form, "logo-file", []byte("GIF89a and more"))
	refused.Want(t, http.StatusUnprocessableEntity, "a file that is not a picture", "is not a JPEG, PNG or WebP picture")
	// The code is taken. The form keeps what was typed, and the logo.
	kept := app.PostFile(t, "/desk/new", form, "logo-file", logo)
	if kept.Status != http.StatusUnprocessableEntity || !strings.Contains(kept.Body, "Another business has this address") || !strings.Contains(kept.Body, "Your logo is kept.") {
		t.Fatalf("a taken code: %d", kept.Status)
	}
	carried := app.Read(t, "/desk/new", kept).Value("logo")
	if app.Read(t, "/desk/new", kept).Find("img", "alt=Your logo", "src=data:image/jpeg;base64,"+carried) == nil {
		t.Error("the form does not show the logo that it carries")
	}
	form.Set("logo", carried)
	second := app.Read(t, "/desk/new", app.PostFile(t, "/desk/new", form, "logo-file", []byte("GIF89a and more"))).Has("is not a JPEG, PNG or WebP picture")
	check.Equal(t, second.Value("logo"), carried, "a refused file removes the logo that the form carries")
	form.Set("code", "anns-apples")
	made := app.Post(t, "/desk/new", form)
	must.Equal(t, made.Location, "/desk/anns-apples", "made: %d", made.Status)
	src := app.Visit(t, "/desk/anns-apples/shop").Find("img", "alt=Your logo")
	if src == nil {
		t.Fatal("the new business has no logo")
	}
	for _, a := range src.Attr {
		if a.Key == "src" {
			if got := app.Get(t, a.Val); got.Status != http.StatusOK || got.Header.Get("Content-Type") != "image/jpeg" {
				t.Errorf("%s: %d", a.Val, got.Status)
			}
		}
	}

	bob := app.NewPerson(t)
	form = details("m", withMerchant(t, bob, "bob@example.com", "Bob's Bananas"), "code", "bobs-bananas", "logo", "no base64, no picture")
	made = bob.Post(t, "/desk/new", form)
	check.Equal(t, made.Location, "/desk/bobs-bananas", "a forged logo: %d", made.Status)
	if bob.Visit(t, "/desk/bobs-bananas/shop").Find("img", "alt=Your logo") != nil {
		t.Error("a forged logo is shown")
	}
}

func TestANewBusinessGetsItsOwnersZoneAndCurrency(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := withMerchant(t, app, "ann@example.com", "Ann's Apples")
	app.Post(t, "/form/testacc/0", url.Values{"country": {"GB"}, "name": {"Ann's Apples"}, "entityType": {"Other"}})
	v := app.Visit(t, "/desk/new?m="+id)
	for _, want := range []string{"GB", "GBP", "Europe/London"} {
		if v.Find("option", "value="+want, "selected=") == nil {
			t.Errorf("%s is not chosen", want)
		}
	}
}

func TestABusinessSaysWhenItIsOpen(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	v := app.Visit(t, "/desk/panezski/shop").Has("Opening hours", "Mon-Fri 7am-3pm")
	v.Type("hours", "whenever").Press("Save").Has("“whenever”: Write the days and then the times, such as Mon-Fri 7am-3pm.")
	check.Equal(t, v.Status, http.StatusUnprocessableEntity, "unreadable hours")
	v.Type("hours", "Mon 9-12\nMon 11-14").Press("Save").Has("Mon 09:00-12:00 and 11:00-14:00: these times overlap.")
	sydney, err := time.LoadLocation("Australia/Sydney")
	must.NoError(t, err)
	today := time.Now().In(sydney)
	closed := today.AddDate(0, 0, -1).Format(time.DateOnly) + " closed\n" + today.Format(time.DateOnly) + " closed\n" + today.AddDate(0, 0, 1).Format("2 Jan 2006") + " 7.30-11"
	v.Type("hours", closed).Press("Save").Has("Saved.", today.AddDate(0, 0, 1).Format("2 Jan 2006")+" 07:30-11:00")
	for range 100 {
		if strings.Contains(app.Get(t, "/pos/panezski?t=4").Body, "You can look at the menu, but you cannot order now: it opens tomorrow at 7:30 am.") {
			return
		}
	}
	t.Error("guests do not see when it opens")
}
