package push

import (
	"testing"

	"forecourt/internal/check"
	"forecourt/internal/must"
)

func TestASlowServiceIsCalledOnceAtATime(t *testing.T) {
	t.Parallel()
	var p patience
	begin := func(name string, want bool) (end func(bool)) {
		t.Helper()
		end, ok := p.begin(name)
		must.Equal(t, ok, want, "%s may be called", name)
		return end
	}
	first, second := begin("slow.example", true), begin("slow.example", true)
	first(false)
	begin("slow.example", false) // the second call is under way
	begin("other.example", true)(true)
	second(false)
	third := begin("slow.example", true)
	begin("slow.example", false)
	third(true)
	begin("slow.example", true)(true)
	begin("slow.example", true)(true)
	check.Equal(t, len(p.services), 0, "services that answer are kept: %v", p.services)
}

func TestTheNamesOfADomainAreOneService(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://a.b.c.Example.org.:8443/": "example.org", "https://localhost/": "localhost", "http://127.0.0.1:81/send": "127.0.0.1:81",
		"https://[2001:db8::1]/": "[2001:db8::1]", "%": "",
		// Whoever makes up a name at a browser's own service does not slow that down.
		"https://fcm.googleapis.com/fcm/send/x": "fcm.googleapis.com", "https://fcm.googleapis.com:444/": "googleapis.com", "https://dead.googleapis.com/": "googleapis.com",
		"https://updates.push.services.mozilla.com/x": "updates.push.services.mozilla.com", "https://web.push.apple.com/x": "web.push.apple.com",
	} {
		check.Equal(t, serviceOf(endpoint), want, "%s", endpoint)
	}
}
