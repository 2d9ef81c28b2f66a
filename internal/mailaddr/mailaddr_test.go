package mailaddr_test

import (
	"net/mail"
	"strings"
	"testing"

	"forecourt/internal/mailaddr"
)

func TestValid(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a@b.co": true, "ann.lee+forms@mail.example.com.au": true, "ü@exämple.de": true, "o'neil@example.com": true,
		strings.Repeat("a", 249) + "@b.co": true, // 254 bytes
		strings.Repeat("a", 250) + "@b.co": false,
		"":                                 false, "x": false, "@": false, "a@b": false, "a b@c.de": false, "a@b..de": false, "a@.de": false, "a@b.co.": false, "@b.co": false,
		"a@b@c.de": false, "a@b.co\x00": false, "a@b.co\u202e": false, "a@b.co\u200b": false, "a@b.c\xff": false, "a\u00a0b@c.de": false,
		" a@b.co": false, "a@b.co ": false, "a@b.co\r\nBcc: x@y.zz": false, "a@b.co,x@y.zz": false,
		"a1<target@x>": false, "a1<target@x.co>": false, "<a@b.co>": false, "Ann <a@b.co>": false, "a@b.co <x@y.zz>": false,
		`"a b"@c.de`: false, `"a"@b.co`: false, "a@b.co (Ann)": false, "a(x)@b.co": false, "a@[192.0.2.1]": false, "a@[IPv6:2001:db8::1.2]": false,
		"=?utf-8?q?x?= <a@b.co>": false, "Group: a@b.co;": false,
	} {
		if got := mailaddr.Valid(text); got != want {
			t.Errorf("Valid(%q) = %t", text, got)
		}
	}
}

func TestMailbox(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a@b.co": "<a@b.co>", "Forecourt <no-reply@pay.example>": `"Forecourt" <no-reply@pay.example>`,
		"me@localhost": "<me@localhost>", "": "", "a@": "", "Ann <a@b.co>, Bob <b@b.co>": "", "Ann <a@b.co\r\nBcc: x@y.zz>": "",
	} {
		got, err := mailaddr.Mailbox(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("Mailbox(%q) = %q, %v", text, got, err)
		}
	}
}

// FuzzValid holds what is accepted against what a mail server is told: the same address, alone on its line, and it stays the
// same when it is read again as a list of recipients.
func FuzzValid(f *testing.F) {
	for _, seed := range []string{
		"a@b.co", "ü@exämple.de", "a1<target@x>", "a1<target@x.co>", `"a b"@c.de`, "a@[192.0.2.1]", "a@b.co,x@y.zz", "a@b.co\r\nBcc: x@y.zz", "(x)a@b.co",
		"=?utf-8?q?=40?=@b.co", "a@b.co\u202e",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !mailaddr.Valid(text) {
			return
		}
		local, domain, _ := strings.Cut(text, "@")
		if local == "" || !strings.Contains(domain, ".") || len(text) > 254 || strings.ContainsAny(text, " \t\r\n<>()[],;:\"\\\x00") || strings.Contains(domain, "@") {
			t.Fatalf("%q is taken for an address", text)
		}
		list, err := mail.ParseAddressList(text)
		if err != nil || len(list) != 1 || list[0].Address != text || list[0].Name != "" {
			t.Fatalf("%q is read as %v, %v", text, list, err)
		}
		if normal := mailaddr.Normal(text); mailaddr.Normal(normal) != normal {
			t.Fatalf("%q has two normal forms", text)
		}
	})
}
