package handlers_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/fake"
	"forecourt/internal/kit/must"
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
	must.NoError(t, err)
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

// mapped returns how many bytes of memory this process, which includes the server, has mapped.
func mapped() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// TestPicturesAreBoundedInWork sends small files that take a lot of work to decode. The server refuses each without using memory for it.
func TestPicturesAreBoundedInWork(t *testing.T) {
	t.Parallel()
	app := identified(t)
	flat := fake.Flat(5000, 5000) // unpacks to 100 MB, in a child
	before := mapped()
	send := func(file []byte) apptest.Answer {
		got := sendLicence(t, app, file)
		for tries := 0; got.Status == http.StatusServiceUnavailable && tries < 10; tries++ { // a busy machine may take longer than 20 s
			got = sendLicence(t, app, file)
		}
		return got
	}
	const tooLong = "takes too long to read"
	for name, tt := range map[string]struct {
		file []byte
		want string
	}{
		"312 KB of progressive CMYK that take a gigabyte":  {fake.JPEG{Width: 6300, Height: 6300, Components: 4}.Bytes(), tooLong},
		"five thousand scans of 300 bytes":                 {fake.JPEG{Width: 6000, Height: 6000, Components: 1, Scans: 5000}.Bytes(), tooLong},
		"progressive at 40 megapixels without subsampling": {fake.JPEG{Width: 6300, Height: 6300, Components: 3}.Bytes(), tooLong},
		"a PNG of 64 gigapixels":                           {fake.PNG(250_000, 256_000, 8, 6, 0), "40 megapixels"},
		"an animated WebP":                                 {[]byte("RIFF\x1e\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x09\x00\x00\x09\x00\x00ANIM"), "is animated"},
	} {
		begin := time.Now()
		got := send(tt.file)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, tt.want) {
			t.Errorf("%s, %d bytes: %d after %s: %.200s", name, len(tt.file), got.Status, time.Since(begin), got.Body)
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { send(flat).Want(t, http.StatusSeeOther, "a picture of 25 megapixels") })
	}
	all.Wait()
	if grown := (mapped() - before) >> 20; grown > 200 {
		t.Errorf("the server used %d MiB", grown)
	}
}

// TestAChildEndsWhenItsSenderLeaves closes the connection while a picture is being decoded, by a child that cannot end by itself.
func TestAChildEndsWhenItsSenderLeaves(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		return // only Linux has /proc
	}
	app := identified(t)
	// Decoding this file is within the limits but takes seconds, so there is time to stop the child.
	file := fake.JPEG{Width: 6000, Height: 6000, Components: 1, Scans: 60}.Bytes()
	const head = "--end\r\nContent-Disposition: form-data; name="
	body := head + "person\r\n\r\n1\r\n" + head + "dlfront; filename=a.jpg\r\n\r\n" + string(file) + "\r\n--end--\r\n"
	conn := upload(t, app, body, len(body))
	mark := fmt.Sprintf("\x00%d\x00", len(file)) // an argument of the child
	apptest.Eventually(t, "a child", func() bool {
		pid := decoding(t, mark)
		return pid != 0 && syscall.Kill(pid, syscall.SIGSTOP) == nil
	})
	began := time.Now()
	_ = conn.Close()
	apptest.Eventually(t, "the end of the child", func() bool { return decoding(t, mark) == 0 })
	if took := time.Since(began); took > 15*time.Second { // the server ends each child after 20 s
		t.Errorf("the child went on for %s", took)
	}
}

// decoding returns the process that decodes a picture and has a given argument, or 0.
func decoding(t *testing.T, argument string) (pid int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	must.NoError(t, err)
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte("decode-picture")) && bytes.Contains(line, []byte(argument)) {
			pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(file)))
			return pid
		}
	}
	return 0
}

// TestSlowUploadsLeaveRoom opens uploads that never end. Each could hold 12 MiB of the server's memory.
func TestSlowUploadsLeaveRoom(t *testing.T) {
	t.Parallel()
	app := identified(t)
	var small bytes.Buffer
	must.NoError(t, jpeg.Encode(&small, image.NewRGBA(image.Rect(0, 0, 30, 20)), nil))
	var got apptest.Answer
	apptest.Eventually(t, "a refusal", func() bool {
		upload(t, app, "--end", 1<<20)
		got = sendLicence(t, app, small.Bytes())
		return got.Status != http.StatusSeeOther
	})
	if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || !strings.Contains(got.Body, "Back in a moment") {
		t.Errorf("with four uploads open: %d %s", got.Status, got.Body)
	}
}

// upload begins to send a licence as the demo admin on a connection that stays open until the test ends.
func upload(t *testing.T, app *apptest.App, body string, length int) net.Conn {
	t.Helper()
	site, err := url.Parse(app.URL)
	must.NoError(t, err)
	conn, err := net.Dial("tcp", site.Host)
	must.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	var cookies []string
	for _, cookie := range app.Client.Jar.Cookies(site) {
		cookies = append(cookies, cookie.Name+"="+cookie.Value)
	}
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=end\r\nSec-Fetch-Site: same-origin\r\nCookie: %s\r\nContent-Length: %d\r\n\r\n%s",
		licencePath, site.Host, strings.Join(cookies, "; "), length, body)
	must.NoError(t, err)
	return conn
}
