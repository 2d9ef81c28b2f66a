package shortlink_test

import (
	"net/url"
	"path"
	"strings"
	"testing"
	"unicode"

	"forecourt/internal/site/shortlink"
)

func TestTarget(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, target, want string }{
		{"https", "https://shop.example/a?b=c#d", "https://shop.example/a?b=c#d"},
		{"http with a port", "http://shop.example:8080/", "http://shop.example:8080/"},
		{"a host alone", "https://shop.example", "https://shop.example"},
		{"capital letters", "HTTPS://shop.example/A", "https://shop.example/A"},
		{"an IPv6 address", "http://[2001:db8::1]:80/x", "http://[2001:db8::1]:80/x"},
		{"a host in another script", "https://bücher.example/straße", "https://xn--bcher-kva.example/stra%C3%9Fe"},
		{"a path of this site", "/pos/panezski?t=4", "/pos/panezski?t=4"},
		{"the start page", "/", "/"},
		{"a path that only begins like a short link", "/start", "/start"},
		{"nothing", "", ""},
		{"no scheme", "shop.example/a", ""},
		{"another site in disguise", "//evil.example/a", ""},
		{"with a backslash", `/\evil.example`, ""},
		{"a backslash in the host", `https://shop.example\@evil.example/`, ""},
		{"a script", "javascript:alert(1)", ""},
		{"data", "data:text/html,x", ""},
		{"a file", "file:///etc/passwd", ""},
		{"mail", "mailto:a@shop.example", ""},
		{"a user name", "https://shop.example@evil.example/", ""},
		{"a user name and password", "https://a:b@shop.example/", ""},
		{"no host", "https:///a", ""},
		{"a port alone", "https://:443/a", ""},
		{"no slashes", "https:shop.example", ""},
		{"a new line", "https://shop.example/\r\nX-Evil:1", ""},
		{"NUL", "https://shop.example/\x00", ""},
		{"a space", "https://shop.example/a b", ""},
		{"broken UTF-8", "https://shop.example/\xff", ""},
		{"a right-to-left host", "https://shop\u202e.example/", ""},
		{"a short link", "/s/demo", ""},
		{"a short link, escaped", "/%73/demo", ""},
		{"a short link through another path", "/pos/../s/demo", ""},
		{"too long", "https://shop.example/" + strings.Repeat("a", 1980), ""},
		{"too long once escaped", "https://shop.example/" + strings.Repeat("é", 900), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := shortlink.Target(tt.target)
			if got != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("%q becomes %q, %v; want %q", tt.target, got, err, tt.want)
			}
		})
	}
}

func FuzzTarget(f *testing.F) {
	for _, seed := range []string{"https://a.example/b?c#d", "/pos/x", "//x", "https://a@b/", "http://[::1]/", "/s/x", "https://é.example:1/%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := shortlink.Target(s)
		if err != nil {
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.User != nil || strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) || r == ' ' || r == '\\' }) {
			t.Fatalf("%q becomes %q, %v", s, got, err)
		}
		if u.Host == "" && (u.Scheme != "" || strings.HasPrefix(got, "//") || strings.HasPrefix(path.Clean(u.Path), "/s/")) ||
			u.Host != "" && u.Scheme != "http" && u.Scheme != "https" {
			t.Fatalf("%q becomes %q", s, got)
		}
		if again, err := shortlink.Target(got); err != nil || again != got {
			t.Fatalf("%q becomes %q, then %q, %v", s, got, again, err)
		}
	})
}
