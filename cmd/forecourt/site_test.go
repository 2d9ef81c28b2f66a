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

func TestCommandsAboutTheSite(t *testing.T) {
	t.Parallel()
	o := shell{t, outside(t, dbtest.URL(t), "FORECOURT_URL", "https://pay.example", "FORECOURT_DEMO", "on")}
	first := o.does(0, "demo")
	check.Equal(t, o.does(0, "demo"), first, "the demo data was loaded twice")
	for _, want := range []string{"https://pay.example/s/demo", "https://pay.example/pos/panezski/"} {
		check.Contains(t, first, want, "demo does not print")
	}
	for name, commands := range map[string]func(shell){
		"pay links": payLinkCommands, "short links": shortLinkCommands, "documents": documentCommands,
	} {
		t.Run(name, func(t *testing.T) { commands(shell{t, o.values}) })
	}
}

func payLinkCommands(s shell) {
	plain := s.does(0, "merchant", "paylink", "--client", "panezski", "--amount", "12.50")
	if !strings.HasPrefix(plain, "https://pay.example/pos/panezski/") || strings.Count(plain, "\n") != 1 {
		s.t.Errorf("it prints %q", plain)
	}
	var made map[string]string
	text := s.does(0, "merchant", "paylink", "--client", "tahbella", "--amount", "7", "--currency", "GBP", "--expires", "2034-12-31", "--json")
	if err := json.Unmarshal([]byte(text), &made); err != nil || made["amount"] != "7.00" || made["currency"] != "GBP" ||
		made["url"] != "https://pay.example/pos/tahbella/"+made["trxId"] {
		s.t.Errorf("as JSON: %s %v", text, err)
	}
	s.fails(2, `expected one of "paylink", "gateway"`, "merchant")
	s.fails(2, "unexpected argument paylnk", "merchant", "paylnk")
	s.fails(2, "--amount", "merchant", "paylink", "--client", "panezski")
	s.fails(2, "no such business; the amount has to be above zero", "merchant", "paylink", "--client", "nobody", "--amount", "0")
	s.fails(2, "the expiry has to be in the future", "merchant", "paylink", "--client", "panezski", "--amount", "1", "--expires", "2020-01-31")
	s.fails(2, "neither a day", "merchant", "paylink", "--client", "panezski", "--amount", "1", "--expires", "soon")
}

func shortLinkCommands(s shell) {
	picture := filepath.Join(s.t.TempDir(), "cake.svg")
	check.Equal(s.t, s.does(
		0, "shortlink", "create", "--to", "https://shop.example/cake", "--code", "cake", "--svg", picture,
	), "https://pay.example/s/cake\n", "it prints")
	if svg, err := os.ReadFile(picture); err != nil || !strings.HasPrefix(string(svg), "<svg") {
		s.t.Errorf("the QR code is %.20q, %v", svg, err)
	}
	s.fails(1, "the code is taken", "shortlink", "create", "--to", "/", "--code", "cake")
	s.fails(2, "a target is http", "shortlink", "create", "--to", "javascript:alert(1)")
	s.fails(2, "a code has", "shortlink", "create", "--to", "/", "--code", "a/b")
	s.fails(2, "the expiry has to be", "shortlink", "create", "--to", "/", "--expires", "2020-01-31")
	s.fails(1, "no such short link", "shortlink", "expire", "nothing")
	s.fails(2, `expected "<code>"`, "shortlink", "expire")
	s.does(0, "shortlink", "expire", "cake")
	all := s.t.TempDir()
	var links []shortlinkInfo
	if err := json.Unmarshal([]byte(s.does(0, "shortlink", "list", "--json", "--svg", all)), &links); err != nil || len(links) != 2 {
		s.t.Fatalf("the list: %+v, %v", links, err)
	}
	if demo, cake := links[0], links[1]; demo.Code != "demo" || demo.Expired || demo.URL != "/pos/panezski" ||
		cake.Code != "cake" || !cake.Expired || cake.Expires == nil || cake.Address != "https://pay.example/s/cake" {
		s.t.Errorf("the list: %+v", links)
	}
	if drawn, _ := filepath.Glob(filepath.Join(all, "*.svg")); len(drawn) != 1 || filepath.Base(drawn[0]) != "demo.svg" {
		s.t.Errorf("codes drawn: %v", drawn)
	}
	if table := s.does(0, "shortlink", "list"); !strings.Contains(table, "cake") || !strings.Contains(table, "expired 2") {
		s.t.Errorf("the table:\n%s", table)
	}
}

func documentCommands(s shell) {
	file := filepath.Join(s.t.TempDir(), "terms.txt")
	for text, code := range map[string]int{"Terms of café\n": 0, "caf\xe9": 2} {
		check.Must(s.t, os.WriteFile(file, []byte(text), 0o600))
		want := map[int]string{0: "Saved terms: 14 characters (pages: 1).", 2: "not UTF-8 at byte 3"}[code]
		s.says(code, want, "doc", "put", "terms", file) // DOC-14
	}
	check.Equal(s.t, s.does(0, "doc", "get", "terms"), "Terms of café\n", "get prints")
	s.says(0, `"id":"terms","pages":1,"characters":14,"bytes":15`, "doc", "list", "--json")
	s.fails(1, "no such file", "doc", "put", "terms", filepath.Join(s.t.TempDir(), "nothing"))
	s.fails(2, "small letters", "doc", "put", "Terms", file)
	s.fails(2, `expected "<id>"`, "doc", "get")
	s.does(0, "doc", "rm", "terms")
	s.fails(1, "no such document", "doc", "get", "terms")
	s.fails(1, "no such document", "doc", "rm", "terms")
}
