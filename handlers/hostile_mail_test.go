package handlers_test

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fake"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/payment"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
	"forecourt/internal/upkeep/demo"
)

// mailbox is a mail server that accepts every letter.
type mailbox struct{ fake.MailServer }

// withMail returns a site that is not a demo and sends its letters to a mailbox.
func withMail(t *testing.T) (*apptest.App, *mailbox) {
	t.Helper()
	box := &mailbox{}
	check.Must(t, box.Start(t.Context()))
	t.Cleanup(func() { _ = box.Close() })
	server, err := mail.ParseServer(box.URL)
	check.Must(t, err)
	return apptest.New(t, apptest.Options{Live: true, Jobs: true, MailServer: server}), box
}

// to returns what was delivered to an address, without soft line breaks.
func (b *mailbox) to(address string) (letters []string) {
	for _, letter := range b.Letters() {
		if slices.Contains(letter.To, address) {
			letters = append(letters, strings.ReplaceAll(letter.Text, "=\r\n", ""))
		}
	}
	return letters
}

// settled waits until there are at least so many letters, to anybody or to one recipient, and each is sent or held.
func settled(t *testing.T, app *apptest.App, recipient string, least int) {
	t.Helper()
	apptest.Eventually(t, "every letter is sent or held", func() bool {
		return dbtest.Value[bool](t, app.Pool,
			"SELECT count(*) >= $1 AND count(*) FILTER (WHERE sent_at IS NULL AND held = '') = 0 FROM mail WHERE $2 IN ('', recipient)", least,
			recipient)
	})
}

// lure is a text that a stranger would like us to mail.
const lure = "You won a prize. Claim it at http://evil.example/login or www.evil.example before midnight, or lose it for ever and ever."

// payAs orders with a lure in each text, pays with an address and returns the transaction's id.
func payAs(t *testing.T, app *apptest.App, shop, email string) (id string) {
	t.Helper()
	menu := apptest.JSON[struct{ Items []struct{ Name string } }](t, app.Get(t, "/api/pos/"+shop))
	ordered := app.PostJSON(t, "/api/pos", map[string]any{
		"merchantId": shop, "order": []map[string]any{{"name": menu.Items[0].Name, "qty": 1}},
		"description": lure, "name": "prize.evil.example", "source": "diy-pos", "trxRef": "evil.example/" + strconv.Itoa(len(email)),
	})
	ordered.Must(t, http.StatusCreated, "order")
	id = apptest.JSON[struct{ TrxID string }](t, ordered).TrxID
	paid := app.PostJSON(t, "/api/pay", map[string]any{
		"merchantId": shop, "trxId": id, "currency": "AUD", "cardholder": "www.evil.example", "pan": "4111111111111111", "exp": "12/34", "cvc": "123", "cEmail": email,
	}, "Idempotency-Key", id)
	paid.Must(t, http.StatusOK, "pay")
	return id
}

func harmlessLetters(t *testing.T, letters []string) {
	t.Helper()
	for _, letter := range letters {
		check.Lacks(t, letter, "evil.example", "a letter holds a stranger's text")
		check.Lacks(t, letter, "lose it for ever", "a letter holds a stranger's text")
	}
}

// TestTestModeMailsOnlyTheTeam pays in test mode with strangers' addresses.
func TestTestModeMailsOnlyTheTeam(t *testing.T) {
	t.Parallel()
	app, box := withMail(t)
	const victim = "victim@stranger.example"
	for range 12 {
		payAs(t, app, "panezski", victim)
	}
	check.Equal(t, len(app.Mails(t, victim, 12)), 12, "letters are in the outbox")
	for range 6 {
		payAs(t, app, "panezski", demo.Email)
	}
	apptest.Eventually(t, "the admin's receipts", func() bool { return len(box.to(demo.Email)) == 5 })
	// An address that somebody signed up with but did not verify counts as nobody's.
	app.NewPerson(t).SignUp(t, "boss@example.com")
	dbtest.Exec(t, app.Pool, "INSERT INTO shop_member SELECT 'panezski', id FROM account WHERE email = 'boss@example.com'")
	payAs(t, app, "panezski", "boss@example.com")
	app.Mails(t, "boss@example.com", 1)

	business := dbtest.Value[string](t, app.Pool, "SELECT mail FROM shop WHERE code = 'panezski'")
	app.Mails(t, business, 19)
	settled(t, app, "", 0)
	check.Empty(t, box.to(victim), "… of 12 were delivered to a stranger")
	for _, letter := range box.to("boss@example.com") {
		check.Lacks(t, letter, "Thank you for your payment", "a receipt was delivered to an address that nobody verified")
	}
	check.Empty(t, box.to(business), "letters to an address of the business that is nobody's on its team")
	check.Equal(t, len(box.to(demo.Email)), 5, "letters about test money to one address in a day")
	harmlessLetters(t, box.to(demo.Email))
}

// TestManyTestBusinessesMailOneAddressTenTimes gives three businesses the address of somebody on their teams.
func TestManyTestBusinessesMailOneAddressTenTimes(t *testing.T) {
	t.Parallel()
	app, box := withMail(t)
	const victim = demo.Email
	dbtest.Exec(t, app.Pool, "UPDATE shop SET mail = $1 WHERE NOT live", victim)
	dbtest.Exec(t, app.Pool, "INSERT INTO shop_member SELECT code, id FROM shop, account WHERE email = $1 ON CONFLICT DO NOTHING", victim)
	for _, shop := range []string{"panezski", "moollar", "sabona"} {
		for range 4 {
			payAs(t, app, shop, "")
		}
	}
	app.Mails(t, victim, 12)
	settled(t, app, "", 0)
	check.Equal(t, len(box.to(victim)), 10, "… of 12 letters were delivered")
}

// TestALiveReceiptAlwaysArrivesWithoutLinks pays live more often than the limit for other letters allows.
func TestALiveReceiptAlwaysArrivesWithoutLinks(t *testing.T) {
	t.Parallel()
	app, box := withMail(t)
	const guest = "guest@example.com"
	var ids []string
	for range 7 {
		ids = append(ids, payAs(t, app, "tahbella", guest))
	}
	apptest.Eventually(t, "seven receipts", func() bool { return len(box.to(guest)) == 7 })
	harmlessLetters(t, box.to(guest))
	check.Contains(t, box.to(guest)[0], "You won a prize. Claim it at http evil. example/login or www", "the description is missing")
	statuses := map[int]int{}
	for _, id := range ids {
		token := dbtest.Value[string](t, app.Pool, "SELECT token FROM receipt WHERE transaction_id = $1", id)
		statuses[app.Post(t, "/receipt/"+token+"/resend", url.Values{"role": {"customer"}}).Status]++
	}
	check.Equal(t, statuses[http.StatusSeeOther], 5, "sent again")
	check.Equal(t, statuses[http.StatusTooManyRequests], 2, "sent again")
	apptest.Eventually(t, "five copies", func() bool { return len(box.to(guest)) == 12 })
}

// TestInvitationsAreLimitedToTwentyADay invites strangers in the name of a business whose name is an advertisement.
func TestInvitationsAreLimitedToTwentyADay(t *testing.T) {
	t.Parallel()
	app := site(t)
	const email = "mallory@example.com"
	mallory := app.NewPerson(t).SignUp(t, email)
	mallory.Verify(t, email)
	made := mallory.PostJSON(t, "/api/create", map[string]any{
		"uid": accountOf(t, app, email), "name": "Win at evil.example " + strings.Repeat("now ", 40), "products": []string{"api"},
	}, "Sec-Fetch-Site", "same-origin")
	made.Must(t, http.StatusCreated, "/api/create")
	for i := range 20 {
		v := mallory.Visit(t, "/merchant/admin").Type("email", "victim"+strconv.Itoa(i)+"@example.com").Press("Invite")
		check.MustEqual(t, v.Status, http.StatusOK, "invitation %d", i+1)
	}
	v := mallory.Visit(t, "/merchant/admin").Type("email", "victim20@example.com").Press("Invite").Has("You have sent 20 invitations today. Send more tomorrow.")
	v.Want(t, http.StatusTooManyRequests, "the 21st")
	check.Equal(t, v.Value("email"), "victim20@example.com", "the 21st")
	letter := app.Mails(t, "victim19@example.com", 1)[0]
	name := strings.TrimPrefix(letter.Subject, "Join ")
	if len(name) > 80 || strings.Contains(letter.Plain+letter.HTML+letter.Subject, "evil.example") {
		t.Errorf("the letter has the subject %q:\n%s", letter.Subject, letter.Plain)
	}
	check.Empty(t, app.Mails(t, "victim20@example.com", 0), "the 21st invitation was mailed")
}

// TestARefundIsMailedWhateverElseWasMailed uses up a live business's letters to an address. Letters about refunds still arrive,
// five a day for each payment.
func TestARefundIsMailedWhateverElseWasMailed(t *testing.T) {
	t.Parallel()
	app, box := withMail(t)
	const payer = "payer@example.com"
	id := payAs(t, app, "tahbella", payer)
	apptest.Eventually(t, "the receipt", func() bool { return len(box.to(payer)) == 1 })
	limits := throttle.New(db.New(app.Pool), secret.Derive("a secret for tests only", "limits"))
	for range 6 {
		_ = limits.Take(t.Context(), mail.ToAddress, mail.Mailbox("tahbella", payer))
	}
	for i := range 7 {
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: int64(10 + i), By: "test"})
		check.Must(t, err)
	}
	settled(t, app, payer, 8)
	check.Equal(t, len(box.to(payer)), 6, "letters arrived")

	// The business reads why the others did not arrive, and before the next refund that its payer will get no letter.
	app.SignIn(t)
	page := app.Visit(t, "/desk/tahbella/payments/"+id).Has("The email about the refund was not sent", "A payer gets only a few emails a day").
		HasNot("In test mode only")
	check.Equal(t, strings.Count(page.Text(), "The email about the refund was not sent"), 2, "letters held")
	form := url.Values{"do": {"preview"}, "how": {"amount"}, "amount": {"0.10"}, "reason": {"x"}}
	preview := app.Post(t, "/desk/tahbella/payments/"+id+"/refund", form).
		Want(t, http.StatusOK, "the preview", "We have already emailed the payer 5 times", "Tell them yourself.")
	check.Lacks(t, preview.Body, "Refund of $0.10 from", "the preview promises a letter")
}

// TestAPayLinkInTestModeIsMailedToTheTeamAlone mails a stranger the pay link of an unapproved business, with a lure as its description. The
// same link of a live business reaches its payer, with the business's own words.
func TestAPayLinkInTestModeIsMailedToTheTeamAlone(t *testing.T) {
	t.Parallel()
	app, box := withMail(t)
	app.SignIn(t)
	const victim = "victim@stranger.example"
	for _, shop := range []string{"panezski", "tahbella"} {
		for _, to := range []string{victim, demo.Email} {
			made := app.Post(t, "/desk/"+shop+"/links/new", url.Values{"amount": {"5"}, "description": {lure}, "reference": {"www.evil.example"},
				"to": {to}})
			made.Must(t, http.StatusSeeOther, shop)
		}
	}
	settled(t, app, "", 4)
	check.Equal(t, len(box.to(demo.Email)), 2, "letters reached the team")
	got := box.to(victim)
	if len(got) != 1 || !strings.Contains(got[0], "Tah Bella") && !strings.Contains(got[0], "Tahbella") ||
		!strings.Contains(got[0], "http://evil.example/login") || strings.Contains(got[0], "TEST MODE") {
		t.Errorf("%d letters reached the stranger, want only the live business's: %.1500s", len(got), got)
	}
}
