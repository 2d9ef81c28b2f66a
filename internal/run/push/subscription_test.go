package push

import (
	"testing"

	"forecourt/internal/kit/check"
)

func TestTheNamesOfADomainAreOneService(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://a.b.c.Example.org.:8443/": "example.org", "https://localhost/": "localhost", "http://127.0.0.1:81/send": "127.0.0.1:81",
		"https://[2001:db8::1]/": "[2001:db8::1]",
		// Browsers' own.
		"https://fcm.googleapis.com/fcm/send/x": "", "https://updates.push.services.mozilla.com/x": "", "https://web.push.apple.com/x": "",
		// Whoever makes up a name like theirs.
		"https://fcm.googleapis.com:444/": "googleapis.com", "https://dead.googleapis.com/": "googleapis.com",
	} {
		check.Equal(t, stranger(endpoint), want, "%s", endpoint)
	}
}
