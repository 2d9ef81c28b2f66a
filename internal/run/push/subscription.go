package push

import (
	"crypto/ecdh"
	"encoding/base64"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/outbound"
)

// maxEndpoint is far above what push services use, in bytes.
const maxEndpoint = 1024

// Subscription says where and how a browser receives messages. Its keys are in base64url.
type Subscription struct {
	Endpoint, Auth, P256dh string
	ApplicationKey         string // the VAPID key that it was made with; "" is ours
}

// InvalidError names the unusable part of a subscription: endpoint, auth, p256dh or applicationPubKey.
type InvalidError struct{ Part string }

func (e *InvalidError) Error() string { return "push subscription: " + e.Part + " is of no use" }

// Unwrap makes it fault.Invalid.
func (e *InvalidError) Unwrap() error { return fault.New(fault.Invalid, "push subscription") }

func (p *Push) check(s Subscription) error {
	at := hostPort(s.Endpoint)
	if len(s.Endpoint) > maxEndpoint || outbound.Check(p.cfg.Allow, s.Endpoint) != nil ||
		!strings.HasSuffix(at, ":443") && !slices.Contains(p.cfg.Allow, at) { // push services use no other port
		return &InvalidError{"endpoint"}
	}
	if secret, err := decode(s.Auth); err != nil || len(secret) != 16 {
		return &InvalidError{"auth"}
	}
	if point, err := decode(s.P256dh); err != nil || !onCurve(point) {
		return &InvalidError{"p256dh"}
	}
	if s.ApplicationKey == "" {
		return nil
	}
	if key, err := decode(s.ApplicationKey); err != nil || base64.RawURLEncoding.EncodeToString(key) != p.cfg.Keys.Public {
		return &InvalidError{"applicationPubKey"}
	}
	return nil
}

func onCurve(point []byte) bool {
	_, err := ecdh.P256().NewPublicKey(point)
	return err == nil
}

// decode reads base64url or base64, with padding or without.
func decode(text string) ([]byte, error) {
	if len(text) > 128 {
		return nil, base64.CorruptInputError(128)
	}
	text = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(text, "="))
	return base64.RawURLEncoding.Strict().DecodeString(text)
}

// hostPort returns the host and port of an address, or "".
func hostPort(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// known are browsers' own push services, by their names or the ends of them.
var known = []string{"fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"}

// stranger returns a name for the push service that an endpoint belongs to, "" for one of the browsers' own: the last two labels of the
// host, because the owner of a domain can make up any name in it, and for an IP address the host and port.
func stranger(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return endpoint
	}
	name := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if _, err := netip.ParseAddr(name); err == nil {
		return u.Host
	}
	for _, end := range known {
		if u.Port() == "" && (name == end || end[0] == '.' && strings.HasSuffix(name, end)) {
			return ""
		}
	}
	labels := strings.Split(name, ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}
