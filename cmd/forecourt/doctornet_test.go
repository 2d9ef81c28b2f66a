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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"forecourt/internal/mail"
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
			if err != nil {
				t.Fatal(err)
			}
			server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
			if tt.issuer {
				d.roots = x509.NewCertPool()
				d.roots.AddCert(cert.Leaf)
			}
			server.StartTLS()
			t.Cleanup(server.Close)
			_, port, err := net.SplitHostPort(server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			d.URL = &url.URL{Scheme: "https", Host: net.JoinHostPort("localhost", port)}
			d.domain(t.Context())
			if len(d.findings) != 2 || d.findings[0].Check != "dns" || d.findings[0].Verdict != fine {
				t.Fatalf("%+v", d.findings)
			}
			d.findings = d.findings[1:]
			wantFinding(t, d, "certificate", tt.want, tt.says)
		})
	}
}

func TestTheDoctorWarnsOfASiteWithoutHTTPS(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		url  *url.URL
		demo bool
		want int // findings
	}{
		"no address": {nil, false, 1}, "http": {&url.URL{Scheme: "http", Host: "pay.example"}, false, 1}, "a demo": {nil, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &doctor{}
			d.URL, d.demo = tt.url, tt.demo
			d.domain(t.Context())
			if len(d.findings) != tt.want {
				t.Errorf("%+v", d.findings)
			}
			if tt.want > 0 {
				wantFinding(t, d, "https", warn, "not https")
			}
		})
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
			if err != nil {
				t.Fatal(err)
			}
			box := &letterbox{}
			server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return box, nil }))
			done := make(chan struct{})
			go func() { _ = server.Serve(listener); close(done) }()
			d := &doctor{}
			if d.MailServer, err = mail.ParseServer("smtp://" + listener.Addr().String()); err != nil {
				t.Fatal(err)
			}
			d.URL, d.Mail = &url.URL{Scheme: "https", Host: "pay.example"}, tt.to
			d.mail(t.Context())
			_ = listener.Close() // which Serve may not know yet
			_ = server.Close()
			<-done
			if len(d.findings) != 1 || d.findings[0].Verdict != tt.want || !strings.Contains(d.findings[0].Says, tt.says) {
				t.Errorf("%+v", d.findings)
			}
			if !slices.Equal(box.to, tt.sent) {
				t.Errorf("sent to %v, want %v", box.to, tt.sent)
			}
		})
	}
	d := &doctor{}
	d.Mail = "ops@pay.example"
	d.mail(t.Context())
	wantFinding(t, d, "mail", fail, "there is no mail server")
}
