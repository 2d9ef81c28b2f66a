package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/gateway"
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
func (d *Doctor) ofSite() []checkup {
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

func (d *Doctor) disk(context.Context) (Finding, error) {
	var s unix.Statfs_t
	err := unix.Statfs(d.Folder, &s)
	if errors.Is(err, fs.ErrNotExist) && d.DatabaseURL != "" {
		return Finding{}, nil // no data is kept there
	}
	return judgeDisk(d.Folder, float64(s.Bavail)*float64(s.Bsize)), err
}

func judgeDisk(folder string, free float64) Finding {
	says := fmt.Sprintf("%.1f GB free for %s", free/1e9, folder)
	if free >= littleDisk {
		return Good(says)
	}
	found := Warning(says, "Make room, or move FORECOURT_DATA to a larger disk: a full one stops payments.")
	if free < leastDisk {
		found.Verdict = Fail
	}
	return found
}

// files looks at the limit of this process, which a service of systemd does not share.
func (d *Doctor) files(context.Context) (Finding, error) {
	var limit unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	return judgeFiles(limit.Max), err // Go raises the soft limit to the hard one at its start
}

func judgeFiles(most uint64) Finding {
	says := fmt.Sprintf("at most %d", most)
	if most < manyFiles {
		return Warning(says, "Raise it to 65536 (LimitNOFILE of the unit, ulimit -n): each open page that follows changes needs one.")
	}
	return Good(says)
}

// secure reports whether people reach the site over https.
func (d *Doctor) secure() bool { return d.URL != nil && d.URL.Scheme == "https" }

func (d *Doctor) plain(context.Context) (Finding, error) {
	if d.Demo || d.secure() {
		return Finding{}, nil
	}
	const do = "Set FORECOURT_DOMAIN, or put a proxy with a certificate in front and set FORECOURT_URL."
	return Warning("FORECOURT_URL is not https", do), nil
}

// dns compares the addresses of the site's name with this machine's own.
func (d *Doctor) dns(ctx context.Context) (Finding, error) {
	if !d.secure() {
		return Finding{}, nil
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, d.URL.Hostname())
	own, _ := net.InterfaceAddrs() // an error leaves none to compare with
	return judgeDNS(d.URL.Hostname(), addresses, own), err
}

func judgeDNS(name string, addresses []string, own []net.Addr) Finding {
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
		return Good(says)
	case len(addresses):
		return Warning(says+", and this machine has none of these addresses",
			"That is normal behind a proxy or NAT. Otherwise correct the A and AAAA records of the name.")
	}
	return Warning(fmt.Sprintf("%s, and this machine does not have %v", says, elsewhere),
		"Visitors who are sent there may not reach this machine: correct the A and AAAA records of the name.")
}

// certificate connects to the site's public name, as its visitors do.
func (d *Doctor) certificate(ctx context.Context) (Finding, error) {
	if !d.secure() {
		return Finding{}, nil
	}
	dialer := &tls.Dialer{Config: &tls.Config{RootCAs: d.roots, MinVersion: tls.VersionTLS12}}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(d.URL.Hostname(), cmp.Or(d.URL.Port(), "443")))
	if err != nil {
		return Finding{}, err
	}
	defer func() { _ = conn.Close() }()
	secured, ok := conn.(*tls.Conn)
	if !ok {
		return Finding{}, nil
	}
	end := secured.ConnectionState().PeerCertificates[0].NotAfter
	says := "it ends on " + end.UTC().Format(time.DateOnly)
	if time.Until(end) < certificateSoon {
		return Warning(says, "It should have been renewed: see the log, or renew the files of TLS_CERT."), nil
	}
	return Good(says), nil
}

// gateway requests the ledger of the last minute, which shows whether the key is accepted.
func (d *Doctor) gateway(ctx context.Context) (Finding, error) {
	if d.Gateway.URL == "" {
		found := Warning("the built-in sandbox, which moves no money", "Set GATEWAY_URL and GATEWAY_KEY to take live payments.")
		if d.Demo {
			found = Good(found.Says)
		}
		return found, nil
	}
	client := gateway.New(d.Gateway)
	defer client.Close()
	now := time.Now()
	err := client.Ledger(ctx, now.Add(-time.Minute), now, "", func([]gateway.Entry) error { return nil })
	return Good("its ledger answers, and the key is accepted"), err
}

// gatewayClock reads the gateway's clock, in whole seconds, from any answer that has one.
func (d *Doctor) gatewayClock(ctx context.Context) (Finding, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, d.Gateway.URL, nil)
	if err != nil || d.Gateway.URL == "" {
		return Finding{}, err
	}
	before := time.Now()
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return Finding{}, nil //nolint:nilerr // d.gateway says so
	}
	_ = res.Body.Close()
	there, err := http.ParseTime(res.Header.Get("Date"))
	if err != nil {
		return Finding{}, nil //nolint:nilerr // it names no time
	}
	return judgeClock("the gateway", there, before.Add(-time.Second), time.Now()), nil
}

// mail signs in to the mail server, and sends a test mail if --mail asks for one.
func (d *Doctor) mail(ctx context.Context) (Finding, error) {
	switch {
	case d.MailServer == nil && d.MailTo != "":
		return Failing("there is no mail server", "Set SMTP_URL."), nil
	case d.MailServer == nil && d.Demo:
		return Good("kept in the outbox, as in any demo without SMTP_URL"), nil
	case d.MailServer == nil:
		return Finding{}, nil // d.settings says so
	case d.MailTo != "" && !typed.IsEmail(d.MailTo):
		return Failing("--mail is not an address", "Name the mailbox of a person."), nil
	}
	if err := d.MailServer.Probe(ctx, d.MailFrom, d.MailTo); err != nil {
		return Finding{}, err
	}
	if d.MailTo != "" {
		return Finding{Verdict: Fine, Says: "the server accepted the test mail", Do: "Check that it arrived and is not in the spam folder."}, nil
	}
	return Good("the server accepts the sign-in"), nil
}
