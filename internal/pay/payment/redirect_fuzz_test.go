package payment

import (
	"regexp"
	"testing"
)

// listedHost matches what a browser takes for an address of the one listed host.
var listedHost = regexp.MustCompile(`^(?i:https?)://bank\.example(?:[/?#][^\x00-\x1f\x7f]*)?$`)

func FuzzMayRedirect(f *testing.F) {
	for _, seed := range []string{
		"https://bank.example/acs?x=1", "http://bank.example", "HTTPS://bank.example#x", "https://bank.example@evil.example/", `https://bank.example\@evil.example`, `https:\\bank.example`,
		"//bank.example", "https:bank.example", "javascript://bank.example/%0aalert(1)", "https://bank.example.evil.example", "https://bank.example:443/", "https://bank.example\n.evil.example", "http://bank.example#\x00", "http://bank.example/#\r\nSet-Cookie: x", "",
	} {
		f.Add(seed)
	}
	p := &Payments{cfg: Config{RedirectHosts: []string{"bank.example"}}}
	f.Fuzz(func(t *testing.T, address string) {
		if p.mayRedirect(address) && !listedHost.MatchString(address) {
			t.Fatalf("a customer would be sent to %q", address)
		}
	})
}
