package desk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// navigate is the header that a browser sends when a person opens a page.
var navigate = http.Header{"Sec-Fetch-Mode": {"navigate"}}

func payerPage(v *apptest.Visitor) string {
	for _, text := range v.Texts("a") {
		if strings.Contains(text, "/pos/panezski/") {
			_, path, _ := strings.Cut(text, "/pos/")
			return "/pos/" + path
		}
	}
	return ""
}

func payCard(t *testing.T, app *apptest.App, page, number string) {
	t.Helper()
	form := url.Values{"name": {"Pat"}, "card": {number}, "exp": {"11/33"}, "cvc": {"123"}}
	app.Post(t, page, form).Must(t, http.StatusSeeOther, "paying at "+page)
}

func TestAPayLinkIsMadeAndPaid(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	v := app.Visit(t, "/desk/panezski").Follow("Pay links").Has("No pay links yet").Follow("New pay link").Has("test mode")
	v.Type("amount", "12.345").Type("description", "4111 1111 1111 1111").Type("expires", "2020-01-31").Type("to", "nobody").Press("Make the link")
	if v.Status != http.StatusUnprocessableEntity || v.Value("description") != "" || v.Value("expires") != "2020-01-31" {
		t.Errorf("a form with mistakes: %d", v.Status)
	}
	v.Has("The amount has to be written like 12.50", "Enter an email address like name@example.com.", "which must not be stored", "Enter today or a later day.")
	v.Type("amount", "$1,125.00").Type("to", "").Type("description", "4111 1111 1111 1111").Press("Make the link").Has("which must not be stored", "Enter today or a later day.")
	v.Type("description", "Wedding cake").Type("reference", "INV-2041").Type("expires", "2044-01-31").Press("Make the link")
	v.Has("The pay link is ready.", "$1,125.00", "Not opened yet", "Wedding cake", "INV-2041", "the end of 31 January 2044 (AEDT)", "TEST MODE")
	link, payer, page := v.Path, app.NewPerson(t), payerPage(v)
	look := func(state string) {
		t.Helper()
		app.Visit(t, link).Has(state)
	}

	payer.Get(t, page) // a chat program's preview
	app.Do(t, http.MethodGet, page+"?desk", nil, navigate)
	look("Not opened yet")
	payer.Do(t, http.MethodGet, page, nil, navigate)
	look("First opened")
	payCard(t, payer, page, "4000000000000002")
	look("Card declined")
	payer.Post(t, page+"/retry", nil)
	payCard(t, payer, page, "4111111111111111")
	following := app.Do(t, http.MethodGet, link, nil, http.Header{"HX-Request": {"true"}})
	path, _, _ := strings.Cut(link, "?")
	following.Want(t, http.StatusNoContent, "a page that watches the link is not loaded again").HasHeader(t, "HX-Redirect", path)
	look("The payment is complete.")
	if v := app.Visit(t, link); v.Find("button", "value=end") != nil || v.Find("input", "name=to") != nil {
		t.Error("a paid link can be ended or mailed")
	}
	path, _, _ = strings.Cut(link, "?")
	app.Post(t, path, url.Values{"do": {"end"}}).Want(t, http.StatusConflict, "ending a paid link", "could not be ended: it was paid")
	stored := dbtest.Value[string](t, app.Pool,
		"SELECT concat_ws(' ', status, kind, amount_minor) FROM transaction WHERE client_ref = 'INV-2041'")
	check.Equal(t, stored, "paid link 112500", "the payment")
}

func TestAnEndedPayLinkCannotBePaid(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(*testing.T, *apptest.App, string){
		"new": func(*testing.T, *apptest.App, string) {},
		"declined": func(t *testing.T, app *apptest.App, page string) {
			t.Helper()
			payCard(t, app, page, "4000000000000002")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.SignedIn(t)
			v := app.Visit(t, "/desk/panezski/links/new").Type("amount", "40").Press("Make the link")
			page := payerPage(v)
			before(t, app, page)
			v.Press("End the link").Has("The pay link has ended.", "Ended")
			app.Visit(t, page).Has("This link was ended", "Nothing was charged.")
			app.Post(t, page+"/retry", nil)
			app.Post(t, page, url.Values{"name": {"Pat"}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}})
			_, id, _ := strings.Cut(strings.TrimPrefix(page, "/pos/"), "/")
			check.Empty(t, app.Captures(t, id), "an ended link captured")
			app.Post(t, "/desk/panezski/links/"+id, url.Values{"do": {"end"}}).Want(t, http.StatusSeeOther, "ending it again")
			check.Equal(t, dbtest.Value[string](t, app.Pool,
				"SELECT string_agg(actor || ' ' || action || ' ' || split_part(reason, ' ', 1), ', ' ORDER BY id) FROM audit WHERE subject = 'shop panezski'"),
				"demo@forecourt.test pay link made "+id+", demo@forecourt.test pay link ended "+id, "the audit log")
		})
	}
}

func TestPayLinksOfAnotherShop(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	page := payerPage(app.Visit(t, "/desk/panezski/links/new").Type("amount", "40").Press("Make the link"))
	_, id, _ := strings.Cut(strings.TrimPrefix(page, "/pos/"), "/")
	t.Run("the links of another shop look missing (SEC-09)", func(t *testing.T) {
		for _, path := range []string{"/desk/moollar/links/" + id, "/desk/moollar/links/" + id + "/code.svg", "/desk/panezski/links/" + strings.Repeat("A", 26)} {
			app.Get(t, path).Want(t, http.StatusNotFound, path)
		}
		for _, do := range []string{"end", "send"} {
			app.Post(t, "/desk/moollar/links/"+id, url.Values{"do": {do}, "to": {"a@example.com"}}).Want(t, http.StatusNotFound, do)
		}
	})
	app.Visit(t, "/desk/moollar/links").Has("No pay links yet")
	app.Visit(t, page).Has("$40.00")
}

func TestAViewerSeesPayLinksAndChangesNone(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	page := payerPage(app.Visit(t, "/desk/panezski/links/new").Type("amount", "40").Press("Make the link"))
	_, id, _ := strings.Cut(strings.TrimPrefix(page, "/pos/"), "/")
	dbtest.Exec(t, app.Pool, "UPDATE shop_member SET role = 'viewer' WHERE shop_code = 'panezski'")
	app.Visit(t, "/desk/panezski").Follow("Pay links").HasNot("New pay link")
	app.Visit(t, "/desk/panezski/links/"+id).Has("$40.00").HasNot("End this link", "Email it to")
	for path, form := range map[string]url.Values{
		"/desk/panezski/links/new": {"amount": {"5"}}, "/desk/panezski/links/many": {"rows": {"amount\n5"}}, "/desk/panezski/links/" + id: {"do": {"end"}},
	} {
		app.Post(t, path, form).Want(t, http.StatusForbidden, "a viewer at "+path)
	}
	links := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM paylink JOIN transaction ON id = transaction_id WHERE status = 'new'")
	check.Equal(t, links, 1, "links")
}

func TestManyPayLinksFromATable(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	v := app.Visit(t, "/desk/panezski/links/many")
	for text, want := range map[string]string{
		"":                               "The table has no rows.",
		"amount":                         "The table has no rows.",
		"total\n5":                       "The first line has to name the columns",
		"amount,expires\n5,soon\n0,\n1,": "2 rows cannot be used. Nothing was created.",
	} {
		v.Type("rows", text).Press("Make the links").Has(want)
		if back := v.Texts("textarea")[0]; v.Status != http.StatusUnprocessableEntity || back != strings.Join(strings.Fields(text), " ") {
			t.Errorf("%q: %d, %q came back", text, v.Status, back)
		}
	}
	// Rows are numbered as in a spreadsheet: row 1 names the columns.
	v.Type("rows", "amount,expires\n5,\n0,\n").Press("Make the links").Has("Row 3 the amount has to be").HasNot("Row 2")
	var table strings.Builder
	table.WriteString("amount;reference;expires\n")
	for i := range 120 {
		fmt.Fprintf(&table, "%d.50;=INV-%03d;2044-01-31\n", i+1, i)
	}
	v.Type("rows", table.String()).Press("Make the links").Has("These links were made together.", "Older")
	batch := v.Path
	for pages := 1; ; pages++ {
		if got := len(v.Texts("tr")) - 1; pages < 3 && got != 50 || pages == 3 && got != 20 {
			t.Errorf("page %d has %d links", pages, got)
		}
		if !strings.Contains(v.Text(), "Older") {
			check.Equal(t, pages, 3, "pages")
			break
		}
		v.Follow("Older")
	}
	app.Visit(t, batch+"&find=inv-007").Has("$8.50", "=INV-007").HasNot("$9.50")
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET description = 'Crème l’été' WHERE client_ref = '=INV-007'")
	for _, find := range []string{"creme", "CRÈME", "cre\u0300me", "l'ete", "\u200bcreme l’"} {
		app.Visit(t, batch+"&find="+url.QueryEscape(find)).Has("$8.50").HasNot("$9.50")
	}
	app.Visit(t, batch+"&show=paid").Has("No matching pay links")
	_, id, _ := strings.Cut(batch, "batch=")
	file := app.Get(t, "/desk/panezski/links/many/"+id+"/links.csv")
	lines := strings.Split(strings.TrimSpace(file.Body), "\n")
	if len(lines) != 121 || !strings.HasPrefix(lines[1], "'=INV-000,1.50,AUD,"+app.URL+"/pos/panezski/") {
		t.Errorf("%d lines, the second %q", len(lines), lines[1])
	}
	app.Get(t, "/desk/moollar/links/many/"+id+"/links.csv").Want(t, http.StatusNotFound, "another shop's batch looks missing (SEC-09)")
	end := dbtest.Value[string](t, app.Pool, "SELECT DISTINCT to_char(expires_at AT TIME ZONE 'Australia/Sydney', 'YYYY-MM-DD HH24:MI') FROM transaction WHERE client_ref LIKE '=INV%'")
	check.Equal(t, end, "2044-02-01 00:00", "the day ends at")
}

func TestAPayLinkByMail(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	v := app.Visit(t, "/desk/panezski/links/new").Type("amount", "40").Type("description", "Catering").Type("to", "Pat@Example.com").Press("Make the link")
	v.Has("The pay link is ready. The link was not sent: in test mode only your own team receives email.")
	v.HasNot("Sent to")
	v.Type("to", "demo@forecourt.test").Press("Send").Has("We are sending the link.", "Sent to", "demo@forecourt.test, ")
	letter := app.Mails(t, "demo@forecourt.test", 1)[0]
	for _, want := range []string{"Panezski", "$40.00", "Catering", app.URL + payerPage(v), "TEST MODE"} {
		check.Contains(t, letter.Plain, want, "the letter does not say")
		check.Contains(t, letter.HTML, want, "the letter does not say")
	}
	v.Type("to", "nobody").Press("Send").Has("Enter an email address")
	check.Equal(t, v.Value("to"), "nobody", "what was typed is gone")
	v.Type("to", "kim@example.com").Press("Send").Has("The link was not sent", "Sent to", "demo@forecourt.test, ")
	for action, want := range map[string]int{"pay link mailed": 1, "pay link letter held": 2} {
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action = $1", action), want, "%s: … times", action)
	}
	for range 4 {
		v.Type("to", "demo@forecourt.test").Press("Send").Has("We are sending the link.")
	}
	v.Type("to", "demo@forecourt.test").Press("Send").Has("reached the limit of emails for today")
	check.Equal(t, v.Status, http.StatusTooManyRequests, "the sixth letter to one address")
	app.Mails(t, "demo@forecourt.test", 5)
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM mail WHERE held <> '' AND recipient = 'pat@example.com'"), 1,
		"letters are held")
}

func TestMailingAPayLinkNeedsAVerifiedAddress(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{MailServer: &mail.Server{}}).SignIn(t)
	dbtest.Exec(t, app.Pool, "UPDATE account SET verified_at = NULL")
	v := app.Visit(t, "/desk/panezski/links/new").Type("amount", "40").Type("to", "pat@example.com").Press("Make the link")
	v.Has("The pay link is ready. Confirm your own email address first").HasNot("Sent to pat")
}

func TestPayLinksMailedToStrangersAreLimitedPerDay(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		shop       string
		most, used int
	}{
		"by one person for a business that is not live": {shop: "panezski", most: 20},
		"by a live business":                            {shop: "tahbella", most: 100, used: 97},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.SignedIn(t)
			limits := throttle.New(db.New(app.Pool), secret.Derive("a secret for tests only", "limits"))
			for range tt.used {
				check.Must(t, limits.Take(t.Context(), throttle.Limit{Subject: "pay link letters", Most: 100, Window: 24 * time.Hour}, tt.shop))
			}
			mail := func(n int) apptest.Answer {
				return app.Post(t, "/desk/"+tt.shop+"/links/new", url.Values{"amount": {"5"}, "to": {fmt.Sprintf("stranger%d@example.com", n)}})
			}
			for n := range tt.most - tt.used {
				if got := mail(n); strings.Contains(got.Location, "limit") || got.Status != http.StatusSeeOther {
					t.Fatalf("letter %d: %d %s", n+1, got.Status, got.Location)
				}
			}
			over := mail(tt.most)
			v := app.Visit(t, over.Location).Has("The pay link is ready. You have reached the limit of emails for today. Share the link another way. You can email it again in 24 hours.")
			v.HasNot("stranger")
			check.Equal(t, v.Type("to", "other@example.com").Press("Send").Status, http.StatusTooManyRequests,
				"from the link's own page: %d", v.Status)
			v.Has("You have reached the limit of emails for today. Share the link another way. You can email it again in 24 hours.")
			mailed := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action IN ('pay link mailed', 'pay link letter held')")
			check.Equal(t, mailed, tt.most-tt.used, "links mailed")
			check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action = 'pay link made'"), mailed+1, "links made")
		})
	}
}

func TestAFormSentTwiceMakesAndMailsOneLink(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	form := url.Values{"key": {strings.Repeat("A", 26)}, "amount": {"5"}, "to": {"pat@example.com"}}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			app.Post(t, "/desk/panezski/links/new", form).Want(t, http.StatusSeeOther, "/desk/panezski/links/new")
		})
	}
	all.Wait()
	for what, query := range map[string]string{
		"links":          "SELECT count(*) FROM paylink",
		"links made":     "SELECT count(*) FROM audit WHERE action = 'pay link made'",
		"ordered":        "SELECT count(*) FROM river_job WHERE args->>'letter' = 'pay link'",
		"letters of log": "SELECT count(*) FROM audit WHERE action = 'pay link letter held'",
	} {
		check.Equal(t, dbtest.Value[int](t, app.Pool, query), 1, "%s", what)
	}
	form.Set("amount", "6")
	app.Post(t, "/desk/panezski/links/new", form).Want(t, http.StatusSeeOther, "the same form with another amount")
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT string_agg(amount_minor::text, ' ' ORDER BY amount_minor) FROM transaction WHERE kind = 'link'"),
		"500 600", "links' amounts")
}
