package compliance_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/upkeep/demo"
)

const page = "/compliance/acme"

// record returns a site that has a record of two people and whose admin is signed in.
func record(t *testing.T, o apptest.Options) *apptest.App {
	t.Helper()
	app := apptest.New(t, o)
	err := app.Compliance.Create(t.Context(), compliance.NewRecord{Quiet: true, ID: "acme", Business: "Acme Pty Ltd", Admins: []string{demo.Email}, People: []compliance.Asked{
		{Name: "Alex Citizen", Required: []compliance.Part{compliance.AddressPart, compliance.LicencePart, compliance.DobPart}},
		{Name: "Bo Resident", Required: []compliance.Part{compliance.DobPart}},
	}})
	check.Must(t, err)
	app.SignIn(t)
	return app
}

// mandate returns a form that signs the agreement.
func mandate(t *testing.T, app *apptest.App) url.Values {
	t.Helper()
	hash := regexp.MustCompile(`name="text" value="([0-9a-f]{64})"`).FindStringSubmatch(app.Get(t, page).Body)
	if hash == nil {
		t.Fatal("no text to sign")
	}
	return url.Values{"text": {hash[1]}, "name": {"Acme Trading"}, "bsb": {"062-187"}, "number": {"40417293"}, "acknowledged": {"yes"}}
}

func sign(t *testing.T, app *apptest.App) {
	t.Helper()
	app.Post(t, page, mandate(t, app)).Leads(t, page, "sign")
}

// alex returns everything that the first person has to give, except the photos.
func alex() url.Values {
	return url.Values{
		"person": {"1"}, "street": {"7 Canary Lane"}, "suburb": {"Newtown"}, "state": {"NSW"}, "postCode": {"2042"}, "country": {"AU"},
		"dob": {"1981-02-03"}, "licenseno": {"CNRY 7731"}, "licensestate": {"NSW"}, "licenseexp": {"31/12/2044"}, "save": {"yes"},
	}
}

// send posts the form as a browser does, with files by field.
func send(t *testing.T, app *apptest.App, path string, values url.Values, files map[string][]byte) apptest.Answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, all := range values {
		for _, value := range all {
			_ = form.WriteField(name, value)
		}
	}
	for _, name := range []string{"dlfront", "dlback"} {
		for _, content := range [][]byte{files[name], nil} { // the page has a second, empty control of that name
			part, err := form.CreateFormFile(name, map[bool]string{true: "", false: "photo.jpg"}[content == nil])
			check.Must(t, err)
			_, _ = part.Write(content)
		}
	}
	_ = form.Close()
	return app.Do(t, http.MethodPost, path, &body, http.Header{"Content-Type": {form.FormDataContentType()}, "Sec-Fetch-Site": {"same-origin"}})
}

func photo(t *testing.T, w, h int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = byte(i * 7)
	}
	img.Set(0, 0, color.White)
	var b bytes.Buffer
	check.Must(t, jpeg.Encode(&b, img, nil))
	return b.Bytes()
}

func TestOnlyItsAdminsSeeThePage(t *testing.T) {
	t.Parallel()
	app := record(t, apptest.Options{})
	signedOut := app.NewPerson(t).Visit(t, page)
	signedOut.Want(t, http.StatusOK, "who is signed out gets the sign-in (COMPL-20)")
	signedOut.Shows("input", "name=password") // COMPL-20
	t.Run("the page says what it is for (COMPL-01 COMPL-02)", func(t *testing.T) {
		v := app.Visit(t, page)
		check.Equal(t, strings.Join(v.Texts("h1"), " "), "Compliance Requirements", "the heading")
		v.Has("In order to finalise your application we need your assistance in obtaining some more information please.")
	})
}

func TestTheAgreement(t *testing.T) {
	t.Parallel()
	app := record(t, apptest.Options{})
	v := app.Visit(t, page)
	t.Run("the agreement says what it has to (COMPL-04 COMPL-06 COMPL-07 COMPL-08 COMPL-09)", func(t *testing.T) {
		v.Has("Direct Debit Request Service Agreement", "BECS debit authority", "$10.00 per BECS decline", "14 days' notice", "within 5 business days", "Next")
		v.HasNot("Identity details")
	})
	t.Run("with scripts a spinner comes first, without them the whole page (ROUTE-18 COMPL-03)", func(t *testing.T) {
		with := app.Do(t, http.MethodGet, page, nil, http.Header{"Cookie": {"scripts=1"}}).Body
		if strings.Contains(v.Body, "spinner") || !strings.Contains(with, `hx-trigger="load"`) || strings.Contains(with, "BECS") {
			t.Error("there is a spinner without scripts, or none with scripts")
		}
		part := app.Part(t, page, `<div id="compliance"`).Want(t, http.StatusOK, "the part", "BECS")
		check.Lacks(t, part.Body, "spinner", "the part")
	})
	good := mandate(t, app)
	for name, tt := range map[string]struct{ field, value, problem string }{
		"without the tick (COMPL-11)": {"acknowledged", "", "Please tick the box to acknowledge"},
		"no account name":             {"name", " ", "Enter the name of the account"},
		"a BSB of five digits":        {"bsb", "06200", "A BSB has 6 digits"},
		"a BSB of letters":            {"bsb", "abcdef", "A BSB has 6 digits"},
		"an account of four digits":   {"number", "1234", "An account number has 5 to 9 digits"},
		"an account of ten digits":    {"number", "1234567890", "An account number has 5 to 9 digits"},
		"an account with a slash":     {"number", "1234/56", "An account number has 5 to 9 digits"},
		"a card number as the name":   {"name", "Alex P 45391488/03436467", "This looks like a card number. Leave it out."},
	} {
		t.Run("nothing is signed: "+name, func(t *testing.T) {
			form := url.Values{}
			for k, v := range good {
				form[k] = v
			}
			form.Set(tt.field, tt.value)
			got := app.Post(t, page, form)
			got.Want(t, http.StatusUnprocessableEntity, "/compliance/acme", tt.problem, `id="problems"`)
			if tt.field != "name" && !strings.Contains(got.Body, "Acme Trading") {
				t.Error("what was typed is lost")
			}
		})
	}
	t.Run("a text other than the one on offer cannot be signed", func(t *testing.T) {
		form := mandate(t, app)
		form.Set("text", strings.Repeat("0", 64))
		app.Post(t, page, form).Want(t, http.StatusConflict, "/compliance/acme", "changed while you read them")
	})
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM compliance_agreement"), 0, "an agreement was signed")
}

func TestSigning(t *testing.T) {
	t.Parallel()
	app := record(t, apptest.Options{Jobs: true})
	form := mandate(t, app)
	both := make(chan apptest.Answer)
	for range 2 {
		go func() { both <- app.Post(t, page, form) }()
	}
	for range 2 {
		check.Equal(t, (<-both).Status, http.StatusSeeOther, "COMPL-10 COMPL-12 sign")
	}
	app.Post(t, page, form).Want(t, http.StatusSeeOther, "signing again")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM compliance_agreement"), 1, "signatures")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action = 'agreement signed'"), 1, "lines in the audit log")
	signed := dbtest.Value[string](t, app.Pool, `SELECT concat_ws(' ', encode(text_hash, 'hex'), signer, address,
		signed_at > now() - interval '1 minute',
		position('40417293'::bytea IN sealed)) FROM compliance_agreement`)
	check.Equal(t, signed, form.Get("text")+" "+demo.Email+" 127.0.0.1 t 0", "COMPL-12 the text, signer, address, time and sealed account")
	v := app.Visit(t, page).Has("Identity details", "Alex Citizen", "Bo Resident", "0 of 2 people complete", "•••••293")
	v.HasNot("40417293", "062187", "062-187", "AEDT AEST", "AEST AEST")
	t.Run("each person has a tab (COMPL-05)", func(t *testing.T) {
		tabs := v.Texts("nav")
		check.Contains(t, strings.Join(tabs, "|"), "Alex Citizen To do Bo Resident To do", "tabs: %q", tabs)
	})
	pdf := app.Get(t, page+"/agreement.pdf")
	if !strings.HasPrefix(pdf.Body, "%PDF-") || pdf.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the copy: %.20q %v", pdf.Body, pdf.Header)
	}
	mails := app.Mails(t, demo.Email, 1)
	if len(mails) != 1 || mails[0].FileName != "agreements.pdf" || strings.Contains(mails[0].Plain+mails[0].HTML, "40417293") {
		t.Errorf("mails: %+v", mails)
	}
	doc := apptest.JSON[struct {
		DDRSA struct{ Name, SignedBy, Signed string }
	}](t, app.Get(t, "/api"+page))
	t.Run("the document says who signed, and when (DOC-02 COMPL-12 COMPL-19)", func(t *testing.T) {
		if doc.DDRSA.Name != "Acme Trading" || doc.DDRSA.SignedBy != demo.Email || doc.DDRSA.Signed == "" {
			t.Errorf("the document: %+v", doc)
		}
	})
}

func TestTheMerchantAgreementKeepsTheFeesThatWereSigned(t *testing.T) {
	t.Parallel()
	app := record(t, apptest.Options{})
	staff := app.NewPerson(t).SignInStaff(t)
	dbtest.Exec(t, app.Pool, "DELETE FROM fee")
	app.Visit(t, page).Has("Merchant Agreement", "You Acme Pty Ltd, and whoever signs for it",
		"Your fees: those that we confirm to you in writing before your business goes live.", "at least 30 days before we change your fees")
	before := mandate(t, app)
	dbtest.Exec(t, app.Pool, "INSERT INTO fee (rate, fixed_minor, monthly_minor, gst_added) VALUES (160, 10, 0, false)")
	app.Post(t, page, before).Want(t, http.StatusConflict, "signing while the fees change", "changed while you read them")
	staff.Get(t, "/staff"+page+"/agreement.pdf").Want(t, http.StatusNotFound, "before the signature")
	sign(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE fee SET rate = 990")
	for who, got := range map[string]apptest.Answer{
		"owner": app.Get(t, page+"/agreement.pdf"), "staff": staff.Get(t, "/staff"+page+"/agreement.pdf"),
	} {
		text := strings.Join(strings.Fields(check.PDFText(t, got.Body)), " ")
		for _, want := range []string{
			"BECS debit authority", "Merchant Agreement", "Your fees: 1.6% + 10¢ a payment", "acknowledge both agreements",
		} {
			check.Contains(t, text, want, "the copy for %s", who)
		}
	}
}

func TestAPersonsDetailsAreStored(t *testing.T) {
	t.Parallel()
	app := record(t, apptest.Options{})
	send(t, app, page, alex(), nil).Want(t, http.StatusUnprocessableEntity, "before the signature")
	sign(t, app)
	v := app.Visit(t, page+"?person=2")
	t.Run("a person is asked only for what is required (COMPL-13)", func(t *testing.T) {
		if v.Find("input", "name=dob") == nil || v.Find("input", "name=street") != nil || v.Find("input", "name=licenseno") != nil {
			t.Error("the form lacks the date of birth, or asks for more than it")
		}
	})
	v = app.Visit(t, page)
	for _, name := range []string{"street", "suburb", "postCode", "licenseno", "licenseexp", "dob", "dlfront", "dlback"} {
		v.Shows("input", "name="+name) // COMPL-14 COMPL-15 COMPL-16
	}
	v.Shows("select", "name=licensestate") // COMPL-15
	got := send(t, app, page, alex(), map[string][]byte{"dlfront": photo(t, 80, 50), "dlback": photo(t, 80, 50)})
	got.Must(t, http.StatusSeeOther, "COMPL-21 save")
	v = app.Visit(t, got.Location).Has("1 of 2 people complete", "Alex Citizen Complete")
	t.Run("what was typed is kept (COMPL-17 COMPL-21)", func(t *testing.T) {
		for name, want := range map[string]string{"street": "7 Canary Lane", "suburb": "Newtown", "postCode": "2042", "licenseno": "CNRY7731",
			"licenseexp": "2044-12-31", "dob": "1981-02-03"} {
			check.Equal(t, v.Value(name), want, "%s", name)
		}
	})
	told := apptest.JSON[struct {
		DDRSA  struct{ SignedBy string }
		People []struct {
			LicenseNo, DLFront string
			Complete           bool
		}
	}](t, app.Get(t, "/api/compliance/acme"))
	if alex := told.People[0]; told.DDRSA.SignedBy == "" || alex.LicenseNo != "CNRY7731" || !alex.Complete || !strings.HasPrefix(alex.DLFront, "data:image/jpeg;base64,/9j/") {
		t.Errorf("COMPL-16 COMPL-18 the call tells %.400v", told)
	}
	picture := regexp.MustCompile(page + `/1/front\?v=\d+`).FindString(v.Body)
	file := app.Get(t, picture)
	if file.Header.Get("Content-Type") != "image/jpeg" || file.Header.Get("Cache-Control") != "no-store" || file.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("COMPL-16 %q: %d %v", picture, file.Status, file.Header)
	}
	if c, err := jpeg.DecodeConfig(strings.NewReader(file.Body)); err != nil || c.Width != 80 {
		t.Errorf("the picture: %v %v", c, err)
	}
	open := dbtest.Value[int](t, app.Pool, `SELECT (SELECT count(*) FROM compliance_image WHERE position('\xffd8ff'::bytea IN sealed) > 0)
		+ (SELECT count(*) FROM compliance_person WHERE position('CNRY7731'::bytea IN sealed) > 0)`)
	check.Equal(t, open, 0, "COMPL-16 rows that can be read in the database")
	remove := alex()
	remove.Del("save")
	remove.Set("remove", "back")
	send(t, app, page, remove, nil).Want(t, http.StatusSeeOther, "remove")
	check.Equal(t, app.Get(t, page+"/1/back").Status, http.StatusNotFound, "the wrong side was removed, or neither")
	check.Equal(t, app.Get(t, page+"/1/front").Status, http.StatusOK, "the wrong side was removed, or neither")
	app.Visit(t, page+"?person=1").Has("Still to add: a photo of the back of the licence.", "Alex Citizen Complete apart from photos")
	send(t, app, page, url.Values{"person": {"2"}, "dob": {"2/1/1990"}}, nil).Want(t, http.StatusSeeOther, "the second person")
	app.Visit(t, page+"?person=2").Has("2 of 2 people complete").HasNot("That is all we need")
	send(t, app, page, alex(), map[string][]byte{"dlback": photo(t, 80, 50)}).Want(t, http.StatusSeeOther, "the back again")
	app.Visit(t, page+"?person=2").Has("That is all we need")
}

func TestMistakesInAPersonsDetails(t *testing.T) {
	t.Parallel()
	app := record(t, apptest.Options{})
	sign(t, app)
	for name, tt := range map[string]struct{ field, value, problem string }{
		"a post code of letters": {"postCode", "20A2", "An Australian postcode has 4 digits"},
		"no state":               {"state", "", "Choose the state or territory"},
		"an unknown country":     {"country", "ZZ", "Choose a country from the list"},
		"a PO box":               {"street", "PO Box 12", "home address, not a PO box"},
		"no suburb":              {"suburb", "", "Enter the suburb or town"},
		"an expired licence":     {"licenseexp", "2020-01-01", "This licence has expired"},
		"no licence number":      {"licenseno", "", "Enter the licence number"},
	} {
		form := alex()
		form.Set(tt.field, tt.value)
		got := send(t, app, page, form, nil)
		got.Want(t, http.StatusUnprocessableEntity, name, tt.problem, `href="#`+tt.field+`"`)
		if tt.field != "licenseno" && !strings.Contains(got.Body, "CNRY 7731") {
			t.Errorf("%s: what was typed is lost", name)
		}
	}
	send(t, app, page, url.Values{"person": {"1"}, "country": {"AU"}}, nil).Want(t, http.StatusUnprocessableEntity, "an empty form")
	abroad := alex()
	abroad.Set("country", "GB")
	abroad.Set("postCode", "ec1a 1aa")
	send(t, app, page, abroad, nil).Want(t, http.StatusSeeOther, "abroad")
	app.Visit(t, page+"?person=1").Has("Alex Citizen Complete")
	part := url.Values{"person": {"1"}, "dob": {"1981-02-03"}, "country": {"AU"}}
	send(t, app, page, part, nil).Want(t, http.StatusSeeOther, "one complete part alone")
	app.Visit(t, page+"?person=1").Has("0 of 2 people complete", "Still to add: the address, the licence number and photos of both sides of the licence.")
}

func TestABadPictureKeepsTheRest(t *testing.T) {
	t.Parallel()
	app := record(t, apptest.Options{})
	sign(t, app)
	good := photo(t, 60, 40)
	for name, tt := range map[string]struct {
		file    []byte
		problem string
	}{
		"a GIF":          {[]byte("GIF89a\x01\x00\x01\x00"), "is in a format that we cannot open. Use JPEG, PNG or WebP"},
		"an SVG":         {[]byte("<svg onload=alert(1)>"), "is in a format that we cannot open"},
		"a HEIC":         {[]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"), "is in HEIC format"},
		"half a JPEG":    {good[:len(good)/2], "is damaged or incomplete"},
		"over 10 MiB":    {append(good, make([]byte, 10<<20)...), "is larger than 10 MB"},
		"200 gigapixels": {[]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x03\x0d\x40\x00\x0f\x42\x40\x08\x02\x00\x00\x00\x9e\x4b\x4d\x6f"), ""},
	} {
		got := send(t, app, page, alex(), map[string][]byte{"dlfront": tt.file, "dlback": good})
		got.Want(t, http.StatusUnprocessableEntity, "COMPL-16 "+name, tt.problem, `href="#dlfront"`)
		check.Contains(t, got.Body, "7 Canary Lane", "%s", name)
		check.Contains(t, got.Body, page+"/1/back", "%s", name)
	}
	app.Visit(t, page+"?person=1").Has("Alex Citizen Complete") // the typed fields were stored
}

func TestATooLargeBodyKeepsTheText(t *testing.T) {
	t.Parallel()
	app := record(t, apptest.Options{})
	sign(t, app)
	huge := append(photo(t, 60, 40), make([]byte, 9<<20)...)
	got := send(t, app, page, alex(), map[string][]byte{"dlfront": huge, "dlback": huge})
	got.Want(t, http.StatusRequestEntityTooLarge, "a photo that is too large", "the photos are too large", "7 Canary Lane")
}

const review = "/staff/compliance/acme/1"

// handedIn returns an admin's and a staff member's browser on a site where the record's first person waits for review.
func handedIn(t *testing.T) (admin, staff *apptest.App) {
	t.Helper()
	admin = record(t, apptest.Options{Jobs: true})
	sign(t, admin)
	send(t, admin, page, alex(), map[string][]byte{"dlfront": photo(t, 80, 50)}).Must(t, http.StatusSeeOther, "saving the step")
	staff = admin.NewPerson(t).SignInStaff(t)
	return admin, staff
}

func TestStaffDecide(t *testing.T) {
	t.Parallel()
	admin, staff := handedIn(t)
	staff.Visit(t, "/staff/compliance").Has("Alex Citizen", "Acme Pty Ltd", "Waiting 1").HasNot("Bo Resident")
	v := staff.Visit(t, review).Has("7 Canary Lane", "NSW", "CNRY7731", "3 February 1981", "Still to add: a photo of the back of the licence.")
	picture := staff.Get(t, review+"/front")
	picture.Want(t, http.StatusOK, "the picture").HasHeader(t, "Cache-Control", "no-store").HasHeader(t, "Content-Type", "image/jpeg")
	check.Equal(t, strings.Count(staff.Visit(t, review).Has("looked at the details and the front of the licence").Body, "looked at"), 1,
		"looks in a row are listed … times")
	got := staff.Post(t, review, url.Values{"decision": {"returned"}, "reason": {" "}, "seen": {v.Value("seen")}})
	got.Want(t, http.StatusUnprocessableEntity, "more without a reason", "Say what is missing")
	v.Tick("decision", "returned").Type("reason", "Please send the back, too").Press("Record decision").Has("Nobody is waiting for you")
	admin.Visit(t, page).Has("We need a little more", "Please send the back, too", "Alex Citizen We need more",
		"Your answer").HasNot("That is all we need")
	mails := admin.Mails(t, demo.Email, 2)
	if mails[1].FileName != "" { // either of the two may be written first
		mails[0], mails[1] = mails[1], mails[0]
	}
	if !strings.Contains(mails[1].Plain, "Please send the back, too") ||
		!strings.Contains(mails[1].Plain, "the identity details of Alex C. and") || strings.Contains(mails[1].Plain, "Citizen") ||
		admin.Link(t, mails[1]) != page+"?person=1" {
		t.Errorf("the mail: %+v", mails[1])
	}
	answered := alex()
	answered.Set("answer", "The back was\nin the other drawer")
	answered.Set("suburb", "")
	if got := send(t, admin, page, answered, nil); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Body, "in the other drawer</textarea>") {
		t.Errorf("the form lost the answer because of a mistake in another field: %d", got.Status)
	}
	answered.Set("suburb", "Newtown")
	send(t, admin, page, answered, map[string][]byte{"dlback": photo(t, 80, 50)}).Must(t, http.StatusSeeOther, "saving the step")
	staff.Visit(t, review).Has("Answer to our question", "in the other drawer")
	got = staff.Post(t, review, url.Values{"seen": {"1"}, "decision": {"accepted"}})
	got.Want(t, http.StatusConflict, "a decision on details that have changed since", "Your decision was not recorded")
	staff.Visit(t, review).Has("asked for more").Tick("decision", "accepted").Press("Record decision")
	admin.Visit(t, page+"?person=1").Has("These details are accepted", "Alex Citizen Accepted").HasNot("Choose a file", "That is all we need",
		"We need a little more")
	send(t, admin, page, alex(), nil).Want(t, http.StatusConflict, "changing accepted details")
	audit := map[string]int{"identity viewed": 1, "licence front viewed": 1, "identity returned": 1, "identity accepted": 1}
	for action, least := range audit {
		n := dbtest.Value[int](t, admin.Pool,
			fmt.Sprintf("SELECT count(*) FROM audit WHERE action = '%s' AND actor = '%s' AND subject = 'compliance acme/1'", action,
				demo.StaffEmail))
		if n < least {
			t.Errorf("%d audit lines %q", n, action)
		}
	}
}

func TestOnlyStaffReview(t *testing.T) {
	t.Parallel()
	admin, _ := handedIn(t)
	for _, path := range []string{"/staff/compliance", review, review + "/front"} {
		if got := admin.Get(t, path); got.Status != http.StatusNotFound || strings.Contains(got.Body, "Canary") {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	admin.Post(t, review, url.Values{"seen": {"1"}, "decision": {"accepted"}}).Want(t, http.StatusNotFound, "deciding as the applicant")
	check.Equal(t, dbtest.Value[int](t, admin.Pool, "SELECT count(*) FROM audit WHERE action LIKE '%viewed'"), 0, "looks are in the audit log")
}

// No table holds personal details in the clear: raw, in hexadecimal (as a dump writes bytes), or in base64.
func TestNothingIsStoredInTheClear(t *testing.T) {
	t.Parallel()
	admin, staff := handedIn(t)
	shown := admin.Get(t, page+"/1/front").Body
	v := staff.Visit(t, review)
	v.Tick("decision", "accepted").Press("Record decision")
	admin.Mails(t, demo.Email, 2)
	dbtest.Exec(t, admin.Owner(t), "CREATE TABLE planted AS SELECT 'Planted Avenue'::bytea AS b")
	dump := dumpOf(t, admin)
	if !holds(dump, "Planted Avenue") {
		t.Fatal("the search does not find a planted text")
	}
	for _, told := range []string{
		"Canary Lane", "Newtown", "CNRY7731", "CNRY 7731", "1981-02-03", "2044-12-31", "Alex Citizen", "40417293", "062187", "062-187",
		"Acme Trading", "other drawer", shown[len(shown)/2 : len(shown)/2+16], "\xff\xd8\xff\xdb",
	} {
		if holds(dump, told) {
			t.Errorf("%q is in the database", told)
		}
	}
}

// dumpOf returns every row of every table as text.
func dumpOf(t *testing.T, app *apptest.App) []byte {
	t.Helper()
	pool := app.Owner(t)
	rows, err := pool.Query(t.Context(), "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
	check.Must(t, err)
	var tables []string
	for rows.Next() {
		var name string
		check.Must(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	var dump bytes.Buffer
	for _, table := range tables {
		rows, err := pool.Query(t.Context(), fmt.Sprintf("SELECT t::text FROM %q t", table))
		check.Must(t, err)
		for rows.Next() {
			var line string
			check.Must(t, rows.Scan(&line))
			dump.WriteString(line + "\n")
		}
	}
	return dump.Bytes()
}

func holds(dump []byte, text string) bool {
	return bytes.Contains(dump, []byte(text)) || bytes.Contains(dump, fmt.Appendf(nil, "%x", text))
}

// TestOnePersonThatCannotBeOpenedDoesNotHideTheOthers has a row whose secret was lost, or that was changed.
func TestOnePersonThatCannotBeOpenedDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	admin, staff := handedIn(t)
	send(t, admin, page, url.Values{"person": {"2"}, "dob": {"2/1/1990"}}, nil).Must(t, http.StatusSeeOther, "saving the step")
	dbtest.Exec(t, admin.Pool, `UPDATE compliance_person SET sealed = '\x00' WHERE compliance_id = 'acme' AND number = 2`)
	staff.Visit(t, "/staff/compliance").Has("Alex Citizen", "Details that cannot be opened", "Waiting 2")
	staff.Get(t, "/staff/compliance/acme/2").Want(t, http.StatusServiceUnavailable, "the person")
}

func TestACopySaysWhatCannotBeOpened(t *testing.T) {
	t.Parallel()
	admin, _ := handedIn(t)
	send(t, admin, page, alex(), map[string][]byte{"dlback": photo(t, 80, 50)}).Must(t, http.StatusSeeOther, "saving the step")
	id, err := admin.Privacy.AccountID(t.Context(), demo.Email)
	check.Must(t, err)
	for _, step := range []struct{ lose, has, file string }{
		{"UPDATE compliance_image SET sealed = '\\x00' WHERE side = 'back'", "CNRY7731", "identity/acme-1-front.jpg"},
		{"UPDATE compliance_person SET sealed = '\\x00' WHERE number = 2", "", "account.json"},
	} {
		dbtest.Exec(t, admin.Pool, step.lose)
		var content bytes.Buffer
		check.Must(t, admin.Privacy.Export(t.Context(), id, &content))
		zipped, err := zip.NewReader(bytes.NewReader(content.Bytes()), int64(content.Len()))
		check.Must(t, err)
		facts, err := fs.ReadFile(zipped, "identity/acme.json")
		if err != nil || !strings.Contains(string(facts), `"cannot_be_opened": true`) || !strings.Contains(string(facts), step.has) {
			t.Errorf("after %s: %s, %v", step.lose, facts, err)
		}
		_, err = fs.Stat(zipped, step.file)
		check.NoError(t, err, "%s", step.lose)
	}
}

func TestMain(m *testing.M) { dbtest.Main(m) }
