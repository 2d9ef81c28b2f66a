package demo_test

import (
	"net/url"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

func TestKeyGenerator(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	t.Run("four tools with their defaults (ROUTE-12 SEC-01 KEYGEN-06 KEYGEN-07 KEYGEN-08 KEYGEN-10)", func(t *testing.T) {
		t.Parallel()
		v := app.Visit(t, "/demo/keygen").Has("SHA-256 hasher", "SHA-1 hasher", "HPS transaction key", "API merchant key")
		if v.Status != 200 || v.Value("currency") != "GBP" || v.Value("reference") == "" || v.Value("device") != "01" {
			t.Errorf("%d %s", v.Status, v.Body)
		}
	})
	for _, tt := range []struct {
		name string
		form url.Values
		has  []string
	}{
		{"SHA-256 (KEYGEN-02)", url.Values{"tool": {"sha256"}, "text": {"abc"}}, []string{"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}},
		{"SHA-1 (KEYGEN-03)", url.Values{"tool": {"sha1"}, "text": {"abc"}}, []string{"a9993e364706816aba3e25717850c26c9cd0d89d"}},
		{
			"a transaction key (KEYGEN-04)", url.Values{"tool": {"hps"}, "currency": {"gbp"}, "amount": {"5"}, "reference": {"REF"}, "secret": {"s"}},
			[]string{"3ba89485e105cec2bc0b4828816911280401e7c5", "GBP 5.00 REF s"},
		},
		{
			"a merchant key, whatever the device (KEYGEN-05 KEYGEN-08)", url.Values{"tool": {"api"}, "currency": {"gbp"}, "amount": {"5"}, "reference": {"REF"}, "secret": {"s"}, "device": {"77"}},
			[]string{"62362bf660eba9f15f7c4f09c91a878e375ca9241d690366414257998f95b043"},
		},
		{
			"a bad amount (KEYGEN-09)", url.Values{"tool": {"hps"}, "currency": {"GBP"}, "amount": {"abc"}, "reference": {"REF"}, "secret": {"s"}},
			[]string{"GBP 0.00 REF s"},
		},
		{
			"a right key", url.Values{"tool": {"hps"}, "currency": {"GBP"}, "amount": {"5"}, "reference": {"REF"}, "secret": {"s"}, "check": {"3ba89485e105cec2bc0b4828816911280401e7c5"}},
			[]string{"The key matches."},
		},
		{
			"a wrong key", url.Values{"tool": {"hps"}, "currency": {"GBP"}, "amount": {"5"}, "reference": {"REF"}, "secret": {"s"}, "check": {"1d9eec095ac1910e59593517f7428eca8cfe5cb6"}},
			[]string{"The key does not match", "5 has to be 5.00"},
		},
		{"markup is escaped", url.Values{"tool": {"sha1"}, "text": {"<script>alert(1)</script>"}}, []string{"<script>alert(1)</script>"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			answer := app.Post(t, "/demo/keygen", tt.form)
			if answer.Status != 200 || answer.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("status %d, Cache-Control %q", answer.Status, answer.Header.Get("Cache-Control"))
			}
			for _, text := range tt.has {
				check.Contains(t, visibleText(answer.Body), text, "the page does not say")
			}
			check.Lacks(t, answer.Body, "<script>alert", "the page does not escape what was typed")
		})
	}
}
