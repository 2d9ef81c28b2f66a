package main

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

	"github.com/emersion/go-smtp"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
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
		want   verdict
		says   string
	}{
		"a good one":               {"localhost", 15 * day, true, fine, "it ends on 20"},
		"in its last two weeks":    {"localhost", 13 * day, true, warn, "it ends on 20"},
		"one that has ended":       {"localhost", -time.Hour, true, fail, "expired"},
		"one for another name":     {"other.example", 15 * day, true, fail, "other.example"},
		"one of an unknown issuer": {"localhost", 15 * day, false, fail, "unknown authority"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(http.NotFoundHandler())
			server.Config.ErrorLog = log.New(io.Discard, "", 0) // of a handshake that the doctor ends
			d := &doctor{}
			pair := signedPair(t, tt.host, tt.lasts)
			cert, err := tls.LoadX509KeyPair(pair["TLS_CERT"], pair["TLS_KEY"])
			must.NoError(t, err)
			server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
			if tt.issuer {
				d.roots = x509.NewCertPool()
				d.roots.AddCert(cert.Leaf)
			}
			server.StartTLS()
			t.Cleanup(server.Close)
			_, port, err := net.SplitHostPort(server.Listener.Addr().String())
			must.NoError(t, err)
			d.URL = &url.URL{Scheme: "https", Host: net.JoinHostPort("localhost", port)}
			if found, err := d.dns(t.Context()); err != nil || found.Verdict != fine {
				t.Errorf("%+v, %v", found, err)
			}
			found, err := d.certificate(t.Context())
			if err != nil {
				found = failing(err.Error(), "Look.")
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
		want verdict
	}{{nil, false, warn}, {&url.URL{Scheme: "http", Host: "pay.example"}, false, warn}, {nil, true, ""}} {
		d := &doctor{}
		d.URL, d.demo = tt.url, tt.demo
		if found, err := d.plain(t.Context()); err != nil || found.Verdict != tt.want {
			t.Errorf("%v, demo %t: %+v, %v", tt.url, tt.demo, found, err)
		}
	}
}

// letterbox is a mail server that refuses one address and takes letters to all others.
type letterbox struct{ to []string }

const stranger = "nobody@pay.example"

func (*letterbox) Mail(string, *smtp.MailOptions) error { return nil }

func (l *letterbox) Rcpt(to string, _ *smtp.RcptOptions) error {
	if to == stranger {
		return errors.New("who is that")
	}
	l.to = append(l.to, to)
	return nil
}

func (*letterbox) Data(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

func (*letterbox) Reset()        {}
func (*letterbox) Logout() error { return nil }

func TestTheDoctorTriesTheMailServer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		to   string
		want verdict
		says string
		sent []string
	}{
		"a sign-in":         {"", fine, "accepts the sign-in", nil},
		"a test mail":       {"ops@pay.example", fine, "accepted the test mail", []string{"ops@pay.example"}},
		"a refused address": {stranger, fail, "who is that", nil},
		"no address":        {"ops", fail, "--mail is not an address", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			must.NoError(t, err)
			box := &letterbox{}
			server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return box, nil }))
			done := make(chan struct{})
			go func() { _ = server.Serve(listener); close(done) }()
			d := &doctor{}
			if d.MailServer, err = mail.ParseServer("smtp://" + listener.Addr().String()); err != nil {
				t.Fatal(err)
			}
			d.URL, d.Mail = &url.URL{Scheme: "https", Host: "pay.example"}, tt.to
			found, err := d.mail(t.Context())
			if err != nil {
				found = failing(err.Error(), "")
			}
			_ = listener.Close() // which Serve may not know yet
			_ = server.Close()
			<-done
			if found.Verdict != tt.want || !strings.Contains(found.Says, tt.says) {
				t.Errorf("%+v", found)
			}
			check.List(t, box.to, tt.sent, "sent to")
		})
	}
	d := &doctor{}
	d.Mail = "ops@pay.example"
	if found, err := d.mail(t.Context()); err != nil || !found.is(fail, "there is no mail server") {
		t.Errorf("%+v, %v", found, err)
	}
}
