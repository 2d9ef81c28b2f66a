package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// operatorOf runs commands on one site.
type operatorOf struct {
	t      *testing.T
	values map[string]string
}

// does runs a command, which has to exit with code, and returns what it prints: on stdout for 0, else on stderr.
func (o operatorOf) does(code int, args ...string) string {
	o.t.Helper()
	var stdout, stderr strings.Builder
	check.Equal(o.t, run(o.t.Context(), args, from(o.values), &stdout, &stderr), code, "%v: exit code: %s", args, &stderr)
	if code == 0 {
		return stdout.String()
	}
	check.Equal(o.t, strings.Count(stderr.String(), "\n"), 1, "%v: more than one line: %s", args, &stderr)
	return stderr.String()
}

// fails runs a command, which has to exit with code and print text.
func (o operatorOf) fails(code int, text string, args ...string) {
	o.t.Helper()
	check.Contains(o.t, o.does(code, args...), text, "%v says", args)
}

func TestCommandsAboutTheSite(t *testing.T) {
	t.Parallel()
	o := operatorOf{t, outside(t, dbtest.URL(t), "FORECOURT_URL", "https://pay.example", "FORECOURT_DEMO", "on")}
	first := o.does(0, "demo")
	check.Equal(t, o.does(0, "demo"), first, "the demo data was loaded twice")
	for _, want := range []string{"https://pay.example/s/demo", "https://pay.example/pos/panezski/"} {
		check.Contains(t, first, want, "demo does not print")
	}
	t.Run("pay links", func(t *testing.T) { payLinkCommands(operatorOf{t, o.values}) })
	t.Run("short links", func(t *testing.T) { shortLinkCommands(operatorOf{t, o.values}) })
	t.Run("documents", func(t *testing.T) { documentCommands(operatorOf{t, o.values}) })
}

func payLinkCommands(o operatorOf) {
	plain := o.does(0, "merchant", "paylink", "--client", "panezski", "--amount", "12.50")
	if !strings.HasPrefix(plain, "https://pay.example/pos/panezski/") || strings.Count(plain, "\n") != 1 {
		o.t.Errorf("it prints %q", plain)
	}
	var made map[string]string
	text := o.does(0, "merchant", "paylink", "--client", "tahbella", "--amount", "7", "--currency", "GBP", "--expires", "2034-12-31", "--json")
	if err := json.Unmarshal([]byte(text), &made); err != nil || made["amount"] != "7.00" || made["currency"] != "GBP" ||
		made["url"] != "https://pay.example/pos/tahbella/"+made["trxId"] {
		o.t.Errorf("as JSON: %s %v", text, err)
	}
	o.fails(2, `expected one of "paylink", "gateway"`, "merchant")
	o.fails(2, "unexpected argument paylnk", "merchant", "paylnk")
	o.fails(2, "--amount", "merchant", "paylink", "--client", "panezski")
	o.fails(2, "no such business; the amount has to be above zero", "merchant", "paylink", "--client", "nobody", "--amount", "0")
	o.fails(2, "the expiry has to be in the future", "merchant", "paylink", "--client", "panezski", "--amount", "1", "--expires", "2020-01-31")
	o.fails(2, "neither a day", "merchant", "paylink", "--client", "panezski", "--amount", "1", "--expires", "soon")
}

func shortLinkCommands(o operatorOf) {
	picture := filepath.Join(o.t.TempDir(), "cake.svg")
	check.Equal(o.t, o.does(
		0, "shortlink", "create", "--to", "https://shop.example/cake", "--code", "cake", "--svg", picture,
	), "https://pay.example/s/cake\n", "it prints")
	if svg, err := os.ReadFile(picture); err != nil || !strings.HasPrefix(string(svg), "<svg") {
		o.t.Errorf("the QR code is %.20q, %v", svg, err)
	}
	o.fails(1, "the code is taken", "shortlink", "create", "--to", "/", "--code", "cake")
	o.fails(2, "a target is http", "shortlink", "create", "--to", "javascript:alert(1)")
	o.fails(2, "a code has", "shortlink", "create", "--to", "/", "--code", "a/b")
	o.fails(2, "the expiry has to be", "shortlink", "create", "--to", "/", "--expires", "2020-01-31")
	o.fails(1, "no such short link", "shortlink", "expire", "nothing")
	o.fails(2, `expected "<code>"`, "shortlink", "expire")
	o.does(0, "shortlink", "expire", "cake")
	all := o.t.TempDir()
	var links []shortlinkInfo
	if err := json.Unmarshal([]byte(o.does(0, "shortlink", "list", "--json", "--svg", all)), &links); err != nil || len(links) != 2 {
		o.t.Fatalf("the list: %+v, %v", links, err)
	}
	if demo, cake := links[0], links[1]; demo.Code != "demo" || demo.Expired || demo.URL != "/pos/panezski" ||
		cake.Code != "cake" || !cake.Expired || cake.Expires == nil || cake.Address != "https://pay.example/s/cake" {
		o.t.Errorf("the list: %+v", links)
	}
	if drawn, _ := filepath.Glob(filepath.Join(all, "*.svg")); len(drawn) != 1 || filepath.Base(drawn[0]) != "demo.svg" {
		o.t.Errorf("codes drawn: %v", drawn)
	}
	if table := o.does(0, "shortlink", "list"); !strings.Contains(table, "cake") || !strings.Contains(table, "expired 2") {
		o.t.Errorf("the table:\n%s", table)
	}
}

func documentCommands(o operatorOf) {
	file := filepath.Join(o.t.TempDir(), "terms.txt")
	for text, code := range map[string]int{"Terms of café\n": 0, "caf\xe9": 2} {
		check.Must(o.t, os.WriteFile(file, []byte(text), 0o600))
		said := o.does(code, "doc", "put", "terms", file)
		want := map[int]string{0: "Saved terms: 14 characters (pages: 1).", 2: "not UTF-8 at byte 3"}[code]
		check.Contains(o.t, said, want, "DOC-14 put says")
	}
	check.Equal(o.t, o.does(0, "doc", "get", "terms"), "Terms of café\n", "get prints")
	check.Contains(o.t, o.does(0, "doc", "list", "--json"), `"id":"terms","pages":1,"characters":14,"bytes":15`, "the list")
	o.fails(1, "no such file", "doc", "put", "terms", filepath.Join(o.t.TempDir(), "nothing"))
	o.fails(2, "small letters", "doc", "put", "Terms", file)
	o.fails(2, `expected "<id>"`, "doc", "get")
	o.does(0, "doc", "rm", "terms")
	o.fails(1, "no such document", "doc", "get", "terms")
	o.fails(1, "no such document", "doc", "rm", "terms")
}
