package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"forecourt/internal/gateway"
	"forecourt/internal/mailaddr"
)

// certificateSoon is how long before a certificate ends the doctor warns.
const certificateSoon = 14 * 24 * time.Hour

// domain resolves the site's public name and connects to it, as its visitors do.
func (d *doctor) domain(ctx context.Context) {
	if d.URL == nil || d.URL.Scheme != "https" {
		if !d.demo {
			d.add(
				"https", warn, "FORECOURT_URL is not https", "Set FORECOURT_DOMAIN, or put a proxy with a certificate in front and set FORECOURT_URL.",
			)
		}
		return
	}
	name := d.URL.Hostname()
	addresses, err := net.DefaultResolver.LookupHost(ctx, name)
	if err != nil {
		d.add("dns", fail, err.Error(), "Point the name at this machine with an A record, and an AAAA record for IPv6.")
		return
	}
	own, _ := net.InterfaceAddrs() // an error leaves none to compare with
	d.sayDNS(name, addresses, own)
	port := or(d.URL.Port(), "443")
	dialer := &tls.Dialer{Config: &tls.Config{ServerName: name, RootCAs: d.roots, MinVersion: tls.VersionTLS12}}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(name, port))
	if err != nil {
		d.add(
			"certificate", fail, err.Error(),
			"See the log for “no new certificate”; ports 80 and 443 have to reach the program or its proxy.",
		)
		return
	}
	defer func() { _ = conn.Close() }()
	secured, ok := conn.(*tls.Conn)
	if !ok {
		return
	}
	d.sayCertificate(secured.ConnectionState().PeerCertificates[0].NotAfter)
}

// sayDNS compares the addresses of the site's name with this machine's own.
func (d *doctor) sayDNS(name string, addresses []string, own []net.Addr) {
	says := fmt.Sprintf("%s is at %v", name, addresses)
	elsewhere := slices.DeleteFunc(slices.Clone(addresses), func(text string) bool {
		ip := net.ParseIP(text)
		return ip.IsLoopback() || slices.ContainsFunc(own, func(a net.Addr) bool {
			network, ok := a.(*net.IPNet)
			return ok && network.IP.Equal(ip)
		})
	})
	switch len(elsewhere) {
	case 0:
		d.add("dns", fine, says, "")
	case len(addresses):
		d.add(
			"dns", warn, says+", and this machine has none of these addresses",
			"That is normal behind a proxy or NAT. Otherwise correct the A and AAAA records of the name.",
		)
	default:
		d.add(
			"dns", warn, fmt.Sprintf("%s, and this machine does not have %v", says, elsewhere),
			"Visitors who are sent there may not reach this machine: correct the A and AAAA records of the name.",
		)
	}
}

func (d *doctor) sayCertificate(end time.Time) {
	says := "it ends on " + end.UTC().Format(time.DateOnly)
	if time.Until(end) < certificateSoon {
		d.add("certificate", warn, says, "It should have been renewed: see the log, or renew the files of TLS_CERT.")
		return
	}
	d.add("certificate", fine, says, "")
}

// gateway requests the ledger of the last minute, which shows whether the key is accepted, and reads the gateway's clock.
func (d *doctor) gateway(ctx context.Context) {
	if d.GatewayURL == "" {
		says := "the built-in sandbox, which moves no money"
		if d.demo {
			d.add("gateway", fine, says, "")
		} else {
			d.add("gateway", warn, says, "Set GATEWAY_URL and GATEWAY_KEY to take live payments.")
		}
		return
	}
	client := gateway.New(gateway.Config{
		ID: d.GatewayID, URL: d.GatewayURL, Key: d.GatewayKey, Timeout: d.GatewayTimeout, Logger: slog.New(slog.DiscardHandler),
	})
	defer client.Close()
	now := time.Now()
	if _, err := client.Ledger(ctx, now.Add(-time.Minute), now); err != nil {
		d.add(
			"gateway", fail, err.Error(),
			"Check GATEWAY_URL and GATEWAY_KEY (HTTP 401 and 403 mean the key), and that this machine may connect to it.",
		)
		return
	}
	d.add("gateway", fine, "its ledger answers, and the key is accepted", "")
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, d.GatewayURL, nil)
	if err != nil {
		return
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return
	}
	_ = res.Body.Close()
	if there, err := http.ParseTime(res.Header.Get("Date")); err == nil { // in whole seconds
		d.sayClock("the gateway", there, now.Add(-time.Second), time.Now())
	}
}

// mail signs in to the mail server, and sends a test mail if --mail asks for one.
func (d *doctor) mail(ctx context.Context) {
	if d.MailServer == nil {
		if d.Mail != "" {
			d.add("mail", fail, "there is no mail server", "Set SMTP_URL.")
		} else if d.demo {
			d.add("mail", fine, "kept in the outbox, as in any demo without SMTP_URL", "")
		}
		return
	}
	if d.Mail != "" && !mailaddr.Valid(d.Mail) {
		d.add("mail", fail, "--mail is not an address", "")
		return
	}
	if err := d.MailServer.Try(ctx, or(d.MailFrom, "no-reply@"+d.siteURL().Hostname()), d.Mail); err != nil {
		d.add("mail", fail, err.Error(), "Check SMTP_URL: host, port, user and password, and that the server offers TLS.")
		return
	}
	if d.Mail != "" {
		d.add("mail", fine, "the server accepted the test mail", "Check that it arrived and is not in the spam folder.")
		return
	}
	d.add("mail", fine, "the server accepts the sign-in", "")
}

// lastBackup returns the path of the file that names the last backup.
func lastBackup(folder string) string { return filepath.Join(folder, "last-backup") }
