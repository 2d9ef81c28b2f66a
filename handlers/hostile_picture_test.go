package handlers_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
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

// TestSlowUploadsLeaveRoom opens uploads that never end. Each could hold 12 MiB of the server's memory.
func TestSlowUploadsLeaveRoom(t *testing.T) {
	t.Parallel()
	app := identified(t)
	var small bytes.Buffer
	check.Must(t, jpeg.Encode(&small, image.NewRGBA(image.Rect(0, 0, 30, 20)), nil))
	var got apptest.Answer
	apptest.Eventually(t, "a refusal", func() bool {
		upload(t, app, "--end", 1<<20)
		got = sendLicence(t, app, small.Bytes())
		return got.Status != http.StatusSeeOther
	})
	got.Want(t, http.StatusServiceUnavailable, "with four uploads open", "Back in a moment").HasHeader(t, "Retry-After", "…")
}

// upload begins to send a licence as the demo admin on a connection that stays open until the test ends.
func upload(t *testing.T, app *apptest.App, body string, length int) net.Conn {
	t.Helper()
	site, err := url.Parse(app.URL)
	check.Must(t, err)
	conn, err := net.Dial("tcp", site.Host)
	check.Must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	var cookies []string
	for _, cookie := range app.Client.Jar.Cookies(site) {
		cookies = append(cookies, cookie.Name+"="+cookie.Value)
	}
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=end\r\nSec-Fetch-Site: same-origin\r\nCookie: %s\r\nContent-Length: %d\r\n\r\n%s",
		licencePath, site.Host, strings.Join(cookies, "; "), length, body)
	check.Must(t, err)
	return conn
}
