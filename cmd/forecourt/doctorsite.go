package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/pay/gateway"
	"forecourt/ops/certificate"
)

const (
	// leastDisk and littleDisk are the free bytes of the data folder below which the check fails or warns.
	leastDisk, littleDisk = 500e6, 5e9
	// manyFiles is how many open files suffice for all event streams of a process.
	manyFiles = 32_768
	// certificateSoon is how long before a certificate ends the doctor warns.
	certificateSoon = 14 * 24 * time.Hour
)

// ofSite returns the checks of everything but the database.
func (d *doctor) ofSite() []checkup {
	const owner = "Run this as the owner of the data folder, or as root."
	return []checkup{
		{"disk", d.disk, "Set FORECOURT_DATA to the data folder."},
		{"open files", d.files, ""},
		{"https", d.plain, ""},
		{"dns", d.dns, "Point the name at this machine with an A record, and an AAAA record for IPv6."},
		{"certificate", d.certificate, "See the log for “no new certificate”; ports 80 and 443 have to reach the program or its proxy."},
		{"gateway", d.gateway, "Check GATEWAY_URL and GATEWAY_KEY (HTTP 401 and 403 mean the key), and that this machine may connect to it."},
		{"clock", d.gatewayClock, ""},
		{"mail", d.mail, "Check SMTP_URL: host, port, user and password, and that the server offers TLS."},
		{"backup", d.backup, owner},
		{"copies", d.copies, owner},
	}
}

// settings looks at the settings alone.
func (d *doctor) settings(env environment) {
	before := len(d.findings)
	if unknown := unknownSettings(env.environ); len(unknown) > 0 {
		d.add("settings", warning("unknown: "+strings.Join(unknown, ", "), "Correct the names; docs/settings.md lists them."))
	}
	if err := d.checkMail(); err != nil {
		d.add("settings", failing(err.Error(), "Set SMTP_URL."))
	}
	if err := d.checkCertificate(); err != nil {
		d.add("settings", failing(err.Error(), "Renew the files, or correct FORECOURT_URL."))
	}
	if madeUp := d.madeUp(); len(madeUp) > 0 {
		d.add("settings", warning("pages show made-up values for "+strings.Join(madeUp, " "), "Name them in BRAND_FILE."))
	}
	if d.openDemo() {
		d.add("settings", warning("this is a demo that others can reach", "Set FORECOURT_DEMO=off for anything else."))
	}
	if len(d.findings) == before {
		d.add("settings", fineAs("all names are known; set: "+setNames(env.getenv)))
	}
}

// checkMail refuses a site for real people without a mail server.
func (c config) checkMail() error {
	if c.demo || c.MailServer != nil {
		return nil
	}
	return &settingError{"SMTP_URL", "it has to be set outside demo mode: addresses are verified, and receipts sent, by email"}
}

// checkCertificate refuses a certificate that is not valid now, or not for this address.
func (c config) checkCertificate() error {
	if c.TLSCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err == nil {
		err = certificate.Usable(pair.Leaf, c.host(), time.Now())
	}
	if err != nil {
		return &settingError{"TLS_CERT", err.Error()}
	}
	return nil
}

func (d *doctor) disk(context.Context) (finding, error) {
	var s unix.Statfs_t
	err := unix.Statfs(d.folder, &s)
	if errors.Is(err, fs.ErrNotExist) && d.DatabaseURL != "" {
		return finding{}, nil // no data is kept there
	}
	return judgeDisk(d.folder, float64(s.Bavail)*float64(s.Bsize)), err
}

func judgeDisk(folder string, free float64) finding {
	says := fmt.Sprintf("%.1f GB free for %s", free/1e9, folder)
	if free >= littleDisk {
		return fineAs(says)
	}
	found := warning(says, "Make room, or move FORECOURT_DATA to a larger disk: a full one stops payments.")
	if free < leastDisk {
		found.Verdict = fail
	}
	return found
}

// files looks at the limit of this process, which a service of systemd does not share.
func (d *doctor) files(context.Context) (finding, error) {
	var limit unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	return judgeFiles(limit.Max), err // Go raises the soft limit to the hard one at its start
}

func judgeFiles(most uint64) finding {
	says := fmt.Sprintf("at most %d", most)
	if most < manyFiles {
		return warning(says, "Raise it to 65536 (LimitNOFILE of the unit, ulimit -n): each open page that follows changes needs one.")
	}
	return fineAs(says)
}

// secure reports whether people reach the site over https.
func (d *doctor) secure() bool { return d.URL != nil && d.URL.Scheme == "https" }

func (d *doctor) plain(context.Context) (finding, error) {
	if d.demo || d.secure() {
		return finding{}, nil
	}
	const do = "Set FORECOURT_DOMAIN, or put a proxy with a certificate in front and set FORECOURT_URL."
	return warning("FORECOURT_URL is not https", do), nil
}

// dns compares the addresses of the site's name with this machine's own.
func (d *doctor) dns(ctx context.Context) (finding, error) {
	if !d.secure() {
		return finding{}, nil
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, d.host())
	own, _ := net.InterfaceAddrs() // an error leaves none to compare with
	return judgeDNS(d.host(), addresses, own), err
}

func judgeDNS(name string, addresses []string, own []net.Addr) finding {
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
		return fineAs(says)
	case len(addresses):
		return warning(says+", and this machine has none of these addresses",
			"That is normal behind a proxy or NAT. Otherwise correct the A and AAAA records of the name.")
	}
	return warning(fmt.Sprintf("%s, and this machine does not have %v", says, elsewhere),
		"Visitors who are sent there may not reach this machine: correct the A and AAAA records of the name.")
}

// certificate connects to the site's public name, as its visitors do.
func (d *doctor) certificate(ctx context.Context) (finding, error) {
	if !d.secure() {
		return finding{}, nil
	}
	dialer := &tls.Dialer{Config: &tls.Config{RootCAs: d.roots, MinVersion: tls.VersionTLS12}}
	conn, err := dialer.DialContext(ctx, "tcp", hostPort(d.URL))
	if err != nil {
		return finding{}, err
	}
	defer func() { _ = conn.Close() }()
	secured, ok := conn.(*tls.Conn)
	if !ok {
		return finding{}, nil
	}
	end := secured.ConnectionState().PeerCertificates[0].NotAfter
	says := "it ends on " + end.UTC().Format(time.DateOnly)
	if time.Until(end) < certificateSoon {
		return warning(says, "It should have been renewed: see the log, or renew the files of TLS_CERT."), nil
	}
	return fineAs(says), nil
}

// gateway requests the ledger of the last minute, which shows whether the key is accepted.
func (d *doctor) gateway(ctx context.Context) (finding, error) {
	if d.GatewayURL == "" {
		found := warning("the built-in sandbox, which moves no money", "Set GATEWAY_URL and GATEWAY_KEY to take live payments.")
		if d.demo {
			found = fineAs(found.Says)
		}
		return found, nil
	}
	client := gateway.New(gateway.Config{
		ID: d.GatewayID, URL: d.GatewayURL, Key: d.GatewayKey, Timeout: d.GatewayTimeout, Logger: slog.New(slog.DiscardHandler),
	})
	defer client.Close()
	now := time.Now()
	_, err := client.Ledger(ctx, now.Add(-time.Minute), now)
	return fineAs("its ledger answers, and the key is accepted"), err
}

// gatewayClock reads the gateway's clock, in whole seconds, from any answer that has one.
func (d *doctor) gatewayClock(ctx context.Context) (finding, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, d.GatewayURL, nil)
	if err != nil || d.GatewayURL == "" {
		return finding{}, err
	}
	before := time.Now()
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return finding{}, nil //nolint:nilerr // d.gateway says so
	}
	_ = res.Body.Close()
	there, err := http.ParseTime(res.Header.Get("Date"))
	if err != nil {
		return finding{}, nil //nolint:nilerr // it names no time
	}
	return judgeClock("the gateway", there, before.Add(-time.Second), time.Now()), nil
}

// mail signs in to the mail server, and sends a test mail if --mail asks for one.
func (d *doctor) mail(ctx context.Context) (finding, error) {
	switch {
	case d.MailServer == nil && d.Mail != "":
		return failing("there is no mail server", "Set SMTP_URL."), nil
	case d.MailServer == nil && d.demo:
		return fineAs("kept in the outbox, as in any demo without SMTP_URL"), nil
	case d.MailServer == nil:
		return finding{}, nil // d.settings says so
	case d.Mail != "" && !mailaddr.Valid(d.Mail):
		return failing("--mail is not an address", "Name the mailbox of a person."), nil
	}
	if err := d.MailServer.Try(ctx, or(d.MailFrom, "no-reply@"+d.siteURL().Hostname()), d.Mail); err != nil {
		return finding{}, err
	}
	if d.Mail != "" {
		return finding{Verdict: fine, Says: "the server accepted the test mail", Do: "Check that it arrived and is not in the spam folder."}, nil
	}
	return fineAs("the server accepts the sign-in"), nil
}
