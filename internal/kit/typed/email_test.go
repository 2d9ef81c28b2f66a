package typed_test

import (
	"net/mail"
	"strings"
	"testing"
	"unicode"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/typed"
)

func TestIsEmail(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a@b.co": true, "ann.lee+forms@mail.example.com.au": true, "o'neil@example.com": true,
		"ann@exämple.de": true, "Ann@EXÄMPLE.de": true, "ann@пример.рф": true, "ann@例え.テスト": true, "ann@xn--e1afmkfd.com": true,
		"ü@example.de": false, "\u0430nn@example.com": false, "ann\u0301@example.com": false, // not ASCII before the @
		"ann@\u0430pple.com": false, "ann@\u0430\u0440\u0440\u04cf\u0435.com": false, "ann@paypa\u0399.gr": false, "ann@example.c\u043em": false, // Cyrillic and Greek among Latin
		"ann@\uff41pple.com": false, "ann@example\uff0ecom": false, "ann@exa\u0308mple.de": false, "ann@ex\u00adample.com": false, // displayed in another form
		strings.Repeat("a", 249) + "@b.co": true, // 254 bytes
		strings.Repeat("a", 250) + "@b.co": false,
		"":                                 false, "x": false, "@": false, "a@b": false, "a b@c.de": false, "a@b..de": false, "a@.de": false, "a@b.co.": false, "@b.co": false,
		"a@b@c.de": false, "a@b.co\x00": false, "a@b.co\u202e": false, "a@b.co\u200b": false, "a@b.c\xff": false, "a\u00a0b@c.de": false,
		" a@b.co": false, "a@b.co ": false, "a@b.co\r\nBcc: x@y.zz": false, "a@b.co,x@y.zz": false,
		"a1<target@x>": false, "a1<target@x.co>": false, "<a@b.co>": false, "Ann <a@b.co>": false, "a@b.co <x@y.zz>": false,
		`"a b"@c.de`: false, `"a"@b.co`: false, "a@b.co (Ann)": false, "a(x)@b.co": false, "a@[192.0.2.1]": false, "a@[IPv6:2001:db8::1.2]": false,
		"4111111111111111@b.co": false, "ann+4111-1111-1111-1111@b.co": false, "a@4111111111111111.com": false, // card numbers
		"4111111111111112@b.co": true, "61412345678@b.co": true, "8613912345678@b.co": true,
		"=?utf-8?q?x?= <a@b.co>": false, "Group: a@b.co;": false,
		"u@日本語.jp": true, "u@例子.com": true, "u@пример.com": true, "u@mail.пример.com": true, "u@\u0441\u043e\u0441\u043e.com": false, "u@日本ж.jp": false,
	} {
		check.Equal(t, typed.IsEmail(text), want, "Valid(%q)", text)
	}
}

func TestMailbox(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a@b.co": "<a@b.co>", "Forecourt <no-reply@pay.example>": `"Forecourt" <no-reply@pay.example>`,
		"me@localhost": "<me@localhost>", "": "", "a@": "", "Ann <a@b.co>, Bob <b@b.co>": "", "Ann <a@b.co\r\nBcc: x@y.zz>": "",
	} {
		got, err := typed.Mailbox(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("Mailbox(%q) = %q, %v", text, got, err)
		}
	}
}

// FuzzIsEmail requires that a mail server gets an accepted address unchanged and alone on its line, and that a list of recipients
// parses to the same address.
func FuzzIsEmail(f *testing.F) {
	for _, seed := range []string{
		"a@b.co", "ü@exämple.de", "ann@exämple.de", "ann@\u0430pple.com", "ann@пример.рф", "a1<target@x>", "a1<target@x.co>", `"a b"@c.de`, "a@[192.0.2.1]", "a@b.co,x@y.zz", "a@b.co\r\nBcc: x@y.zz", "(x)a@b.co",
		"=?utf-8?q?=40?=@b.co", "a@b.co\u202e",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !typed.IsEmail(text) {
			return
		}
		local, domain, _ := strings.Cut(text, "@")
		if local == "" || !strings.Contains(domain, ".") || len(text) > 254 || strings.ContainsAny(text, " \t\r\n<>()[],;:\"\\\x00") || strings.Contains(domain, "@") {
			t.Fatalf("%q was accepted", text)
		}
		for _, pair := range [][2]*unicode.RangeTable{{unicode.Latin, unicode.Cyrillic}, {unicode.Latin, unicode.Greek}, {unicode.Cyrillic, unicode.Greek}} {
			in := func(script *unicode.RangeTable) bool {
				return strings.ContainsFunc(text[len(local):], func(r rune) bool { return unicode.Is(script, r) })
			}
			if in(pair[0]) && in(pair[1]) || strings.ContainsFunc(local, func(r rune) bool { return r > 127 }) {
				t.Fatalf("%q can be mistaken for another address", text)
			}
		}
		list, err := mail.ParseAddressList(text)
		if err != nil || len(list) != 1 || list[0].Address != text || list[0].Name != "" {
			t.Fatalf("%q parses to %v, %v", text, list, err)
		}
		normal := typed.Email(text)
		check.MustEqual(t, typed.Email(normal), normal, "%q has two normal forms", text)
	})
}

func TestAnAddressIsReadWithoutWhatNobodySees(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\u200bAnn@B.co ": "ann@b.co", "\u2060a@b.co": "a@b.co", "\ufeffa@b.co\r\n": "a@b.co", "\u202aa@b.co\u202c": "a@b.co",
		"ann@exa\u0308mple.de": "ann@exämple.de",
	} {
		check.Equal(t, typed.Email(text), want, "Email(%q)", text)
		check.Equal(t, typed.IsEmail(typed.Email(text)), true, "IsEmail(Email(%q))", text)
	}
}
