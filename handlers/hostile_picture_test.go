package handlers_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/upkeep/demo"
)

// identified returns a site whose demo admin still has to send photos of a licence.
func identified(t *testing.T) *apptest.App {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	err := app.Compliance.Create(t.Context(), compliance.NewRecord{
		ID: "acme", Business: "Acme Pty Ltd", Admins: []string{demo.Email}, People: []compliance.Asked{{Name: "Bo", Required: []compliance.Part{compliance.LicencePart}}},
	})
	check.Must(t, err)
	app.SignIn(t)
	hash := regexp.MustCompile(`name="text" value="([0-9a-f]{64})"`).FindStringSubmatch(app.Get(t, licencePath).Body)
	form := url.Values{"text": {hash[1]}, "name": {"Acme Trading"}, "bsb": {"062-187"}, "number": {"40417293"}, "acknowledged": {"yes"}}
	app.Post(t, licencePath, form).Must(t, http.StatusSeeOther, "sign")
	return app
}

const licencePath = "/compliance/acme"

func sendLicence(t *testing.T, app *apptest.App, front []byte) apptest.Answer {
	t.Helper()
	return app.PostFile(t, licencePath, url.Values{
		"person": {"1"}, "licenseno": {"CNRY7731"}, "licensestate": {"NSW"}, "licenseexp": {"31/12/2044"},
	}, "dlfront", front)
}
