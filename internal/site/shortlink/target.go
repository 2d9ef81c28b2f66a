package shortlink

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"forecourt/internal/kit/fault"
)

// ErrTarget is an address that no short link may lead to.
var ErrTarget = fault.New(fault.Invalid, "a target is http(s)://HOST… without user info, or a /path of this site")

// maxTarget is the greatest length of an address that browsers and QR codes handle well, in bytes.
const maxTarget = 2000

// Target checks and normalises the address that a link leads to: an http(s) address without user info, or a path of this site that
// is not itself a short link. Hosts in other scripts are converted to ASCII. Error: ErrTarget.
func Target(s string) (string, error) {
	odd := func(r rune) bool { return r == '\\' || unicode.IsControl(r) || unicode.IsSpace(r) }
	if s == "" || len(s) > maxTarget || !utf8.ValidString(s) || strings.ContainsFunc(s, odd) {
		return "", ErrTarget
	}
	u, err := url.Parse(s)
	if err != nil || u.User != nil || u.Opaque != "" {
		return "", ErrTarget
	}
	switch {
	case u.Scheme == "" && u.Host == "" && own(u.Path):
	case (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "":
		if u.Host, err = asciiHost(u); err != nil {
			return "", ErrTarget
		}
	default:
		return "", ErrTarget
	}
	if s = u.String(); len(s) > maxTarget {
		return "", ErrTarget
	}
	return s, nil
}

// own reports whether a path belongs to this site and is not a short link, which could be the link itself.
func own(p string) bool {
	clean := path.Clean(p)
	return strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "//") && clean != "/s" && !strings.HasPrefix(clean, "/s/")
}

func asciiHost(u *url.URL) (string, error) {
	if strings.HasPrefix(u.Host, "[") {
		return u.Host, nil // an IPv6 address, which url.Parse has checked
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if port := u.Port(); port != "" {
		host += ":" + port
	}
	return host, err
}
