package doctor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fake"
	"forecourt/internal/run/mail"
)

// TestTheDoctorSeesTheCertificateThatVisitorsGet has a name that leads to this machine, and a server there.
func TestTheDoctorSeesTheCertificateThatVisitorsGet(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for name, tt := range map[string]struct {
		host   string
		lasts  time.Duration
		issuer bool // is trusted
		want   Verdict
		says   string
	}{
		"a good one":               {"localhost", 15 * day, true, Fine, "it ends on 20"},
		"in its last two weeks":    {"localhost", 13 * day, true, Warn, "it ends on 20"},
		"one that has ended":       {"localhost", -time.Hour, true, Fail, "expired"},
		"one for another name":     {"other.example", 15 * day, true, Fail, "other.example"},
		"one of an unknown issuer": {"localhost", 15 * day, false, Fail, "unknown authority"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(http.NotFoundHandler())
			server.Config.ErrorLog = log.New(io.Discard, "", 0) // of a handshake that the doctor ends
			d := &Doctor{}
			pair := fake.Certificate(t, tt.host, tt.lasts)
			cert, err := tls.LoadX509KeyPair(pair["TLS_CERT"], pair["TLS_KEY"])
			check.Must(t, err)
			server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
			if tt.issuer {
				d.roots = x509.NewCertPool()
				d.roots.AddCert(cert.Leaf)
			}
			server.StartTLS()
			t.Cleanup(server.Close)
			_, port, err := net.SplitHostPort(server.Listener.Addr().String())
			check.Must(t, err)
			d.URL = &url.URL{Scheme: "https", Host: net.JoinHostPort("localhost", port)}
			if found, err := d.dns(t.Context()); err != nil || found.Verdict != Fine {
				t.Errorf("%+v, %v", found, err)
			}
			found, err := d.certificate(t.Context())
			if err != nil {
				found = Failing(err.Error(), "Look.")
			}
			if !found.is(tt.want, tt.says) {
				t.Errorf("%+v", found)
			}
		})
	}
}

func TestTheDoctorWarnsOfASiteWithoutHTTPS(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url  *url.URL
		demo bool
		want Verdict
	}{{nil, false, Warn}, {&url.URL{Scheme: "http", Host: "pay.example"}, false, Warn}, {nil, true, ""}} {
		d := &Doctor{}
		d.URL, d.Demo = tt.url, tt.demo
		if found, err := d.plain(t.Context()); err != nil || found.Verdict != tt.want {
			t.Errorf("%v, demo %t: %+v, %v", tt.url, tt.demo, found, err)
		}
	}
}

func TestTheDoctorTriesTheMailServer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		to      string
		answer  error
		want    Verdict
		says    string
		letters int
	}{
		"a sign-in":         {"", nil, Fine, "accepts the sign-in", 0},
		"a test mail":       {"ops@pay.example", nil, Fine, "accepted the test mail", 1},
		"a refused address": {"nobody@pay.example", errors.New("who is that"), Fail, "who is that", 1},
		"no address":        {"ops", nil, Fail, "--mail is not an address", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			box := &fake.MailServer{Answer: func(int) error { return tt.answer }}
			check.Must(t, box.Start(t.Context()))
			defer func() { _ = box.Close() }()
			server, err := mail.ParseServer(box.URL)
			check.Must(t, err)
			d := &Doctor{}
			d.MailServer, d.MailFrom, d.MailTo = server, "no-reply@pay.example", tt.to
			found, err := d.mail(t.Context())
			if err != nil {
				found = Failing(err.Error(), "")
			}
			if found.Verdict != tt.want || !strings.Contains(found.Says, tt.says) {
				t.Errorf("%+v", found)
			}
			check.Equal(t, len(box.Letters()), tt.letters, "letters")
		})
	}
	d := &Doctor{}
	d.MailTo = "ops@pay.example"
	if found, err := d.mail(t.Context()); err != nil || !found.is(Fail, "there is no mail server") {
		t.Errorf("%+v, %v", found, err)
	}
}
