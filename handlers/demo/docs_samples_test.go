package demo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/bridge"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/run/push"
	"forecourt/internal/site/keys"
	"forecourt/internal/upkeep/demo"
	"forecourt/sandbox"
)

// sample is a code block on a page.
type sample struct {
	lang   string
	answer bool // it is the output of the previous sample
	text   string
}

var blocks = regexp.MustCompile("(?ms)^```(\\w+)( answer)?\n(.*?)^```$")

// samplesOf reads the samples of a page, with the addresses that the program fills in. The page has to show them unchanged.
func samplesOf(t *testing.T, app *apptest.App, page string) []sample {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("pages", page+".md"))
	check.Must(t, err)
	play := app.URL + "/sandbox/"
	text := strings.NewReplacer("{{origin}}", app.URL, "{{hosted}}", play+"hps", "{{checkout}}", play+"checkout.js", "{{jquery}}", play+"jquery.js", "{{project}}", "shop",
		"{{merchant}}", sandbox.TestMerchantID, "{{publickey}}", sandbox.TestPublicKey).Replace(string(source))
	shown := app.Get(t, "/docs/"+page).Body
	var list []sample
	for _, found := range blocks.FindAllStringSubmatch(text, -1) {
		check.Contains(t, shown, html.EscapeString(strings.TrimRight(found[3], "\n")), "the page does not show %s", found[3])
		list = append(list, sample{lang: found[1], answer: found[2] != "", text: found[3]})
	}
	return list
}

// developer has followed the quick start, and replaces the values in the samples with their own.
type developer struct {
	app    *apptest.App
	folder string
	own    map[string]string
}

func newDeveloper(t *testing.T) *developer {
	t.Helper()
	app := apptest.New(t, apptest.Options{Push: push.Config{Project: push.Project{ID: "shop", AppID: "a", SenderID: "s",
		APIKey: secret.New("k")}}}).SignUp(t, "dev@example.com")
	made := apptest.JSON[struct {
		Merchant struct{ UUID, Key, MID string }
	}](t, app.PostJSON(t, "/api/create", map[string]any{"name": "Corner Cafe", "products": []string{"api"}}, "Sec-Fetch-Site", "same-origin")).Merchant
	token := apptest.JSON[struct{ Token string }](t, app.PostJSON(t, "/onboarding/tokengen/"+demo.InviteID, map[string]any{
		"email": demo.Email, "secretKey": demo.InviteKey, "password": "Blue-kettle-7", "userIndex": 0,
	}, "Sec-Fetch-Site", "same-origin")).Token
	till := httptest.NewServer(bridge.NewServer(bridge.NewTerminal(false, time.Now), nil))
	t.Cleanup(till.Close)
	return &developer{app, t.TempDir(), map[string]string{
		"YOUR-SECRET": made.Key, "YOUR-UUID": made.UUID, "YOUR-ACCOUNT-ID": made.MID, "YOUR-TOKEN": token, "http://localhost:3015": till.URL,
	}}
}

// run runs a program and returns its output. make test installs missing languages.
func (d *developer) run(t *testing.T, lang, text string, args ...string) string {
	t.Helper()
	for name, own := range d.own {
		text = strings.ReplaceAll(text, name, own)
	}
	call := map[string][]string{
		"shell": {"bash", "-eu"}, "python": {"python3"}, "javascript": {"node"}, "php": {"php"}, "go": {"go", "run"},
	}[lang]
	name := filepath.Join(d.folder, map[string]string{"shell": "s.sh", "python": "s.py", "javascript": "s.mjs", "php": "s.php", "go": "s.go"}[lang])
	check.Must(t, os.WriteFile(name, []byte(text), 0o600))
	var complaint bytes.Buffer
	cmd := exec.CommandContext(t.Context(), call[0], append(append(call[1:], name), args...)...)
	cmd.Dir, cmd.Stderr = d.folder, &complaint
	printed, err := cmd.Output()
	check.Must(t, err, "%s:\n%s\n%s", lang, complaint.String(), text)
	return strings.TrimSpace(string(printed))
}

// learn keeps the ids in an answer for the samples that follow.
func (d *developer) learn(out string) {
	var told struct {
		TrxID string `json:"trxId"`
		ID    string `json:"id"`
		Rows  []any  `json:"rows"`
	}
	if json.Unmarshal([]byte(out), &told) != nil {
		return
	}
	if told.TrxID != "" {
		d.own["TRX-ID"] = told.TrxID
	}
	if told.Rows != nil {
		d.own["BATCH-ID"] = told.ID
	}
}

// TestEverySampleDoesWhatThePageSays runs the samples of each page in order, as a reader who pastes them into a shell would, and compares
// each printed answer with the real one.
func TestEverySampleDoesWhatThePageSays(t *testing.T) {
	t.Parallel()
	for page, answers := range map[string]int{"quick-start": 0, "cards": 2, "errors": 1, "api": 7, "batch": 1, "terminal": 3} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			d := newDeveloper(t)
			// A reader who gets here has run the dashboard's line, which used up a reference.
			first := merchant.Example(merchant.Merchant{MID: d.own["YOUR-ACCOUNT-ID"], Currency: "AUD"}, secret.New(d.own["YOUR-SECRET"]))
			d.app.PostJSON(t, "/gateway/"+d.own["YOUR-UUID"]+"/pay", first).Must(t, http.StatusOK, "the dashboard's line answers")
			out, compared := "", 0
			for _, s := range samplesOf(t, d.app, page) {
				switch {
				case s.answer:
					compared++
					var want, got any
					check.Must(t, json.Unmarshal([]byte(s.text), &want), "… in %s", s.text)
					check.Must(t, json.Unmarshal([]byte(out), &got), "… in %s", out)
					for _, difference := range differences("", want, got) {
						t.Errorf("%s: the page says\n%s\nthe program answers\n%s", difference, s.text, out)
					}
				case s.lang == "csv":
					check.Must(t, os.WriteFile(filepath.Join(d.folder, "links.csv"), []byte(s.text), 0o600))
				case strings.HasPrefix(s.text, "bin/forecourt "): // commands have their own tests
				case s.lang == "shell":
					if out = d.run(t, s.lang, s.text); strings.Contains(s.text, "curl ") && !json.Valid([]byte(out)) {
						t.Errorf("%s answers %s", s.text, out)
					}
					d.learn(out)
				default: // the other languages of a key
					check.Equal(t, d.key(t, s), out, "%s makes the key", s.lang)
				}
				if strings.Contains(out, `"error"`) && !strings.Contains(s.text, `qty": 0`) && !strings.Contains(s.text, "my-payment-2") && !s.answer {
					t.Errorf("%s\nis refused: %s", s.text, out)
				}
			}
			check.Equal(t, compared, answers, "answers were compared")
		})
	}
}

// key runs a sample that makes a key of secret and prints it.
func (d *developer) key(t *testing.T, s sample) string {
	t.Helper()
	hush := d.own["YOUR-SECRET"]
	switch s.lang {
	case "go":
		return d.run(t, s.lang, fmt.Sprintf("package main\n\nimport (\n\"crypto/sha256\"\n\"encoding/hex\"\n\"fmt\"\n)\n\nfunc main() {\nsecret := %q\n%s\nfmt.Println(key)\n}\n", hush, s.text))
	case "php":
		return d.run(t, s.lang, "<?php\n$secret = '"+hush+"';\n"+s.text+"\necho $key;\n")
	case "javascript":
		return d.run(t, s.lang, "const secret = '"+hush+"';\n"+s.text+"\nconsole.log(key);\n")
	default:
		return d.run(t, s.lang, "secret = '"+hush+"'\n"+s.text+"\nprint(key)\n")
	}
}

func TestTheKeyOfTheHostedPageInEachLanguage(t *testing.T) {
	t.Parallel()
	d := newDeveloper(t)
	in := keys.Input{Currency: "GBP", Amount: "5.00", Reference: "ORDER-1001", Secret: secret.New(d.own["YOUR-SECRET"])}
	ran := 0
	for _, s := range samplesOf(t, d.app, "hosted-page") {
		var got string
		switch s.lang {
		case "html":
			continue // e2e/docs.spec.ts
		case "shell":
			got = d.run(t, s.lang, s.text)
		default:
			got = d.key(t, s)
		}
		if ran++; got != in.Key(keys.SHA1) {
			t.Errorf("%s makes %q, want %q", s.lang, got, in.Key(keys.SHA1))
		}
	}
	check.Equal(t, ran, 4, "languages ran")
}

// differences lists where an answer differs from the one on a page. On a page "…" stands for any text, or for the rest of a list; a time
// stands for any time, and a long number for any number of that length.
func differences(at string, want, got any) []string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return []string{at + " is not an object"}
		}
		var list []string
		for name := range object {
			if _, told := want[name]; !told {
				list = append(list, at+"."+name+" is not in the page")
			}
		}
		for name, value := range want {
			there, ok := object[name]
			if !ok {
				list = append(list, at+"."+name+" is in the page alone")
				continue
			}
			list = append(list, differences(at+"."+name, value, there)...)
		}
		return list
	case []any:
		elements, ok := got.([]any)
		more := len(want) > 0 && want[len(want)-1] == "…"
		if more {
			want = want[:len(want)-1]
		}
		if !ok || len(elements) < len(want) || !more && len(elements) != len(want) {
			return []string{at + " has another length"}
		}
		var list []string
		for i, value := range want {
			list = append(list, differences(fmt.Sprintf("%s[%d]", at, i), value, elements[i])...)
		}
		return list
	case string:
		if text, ok := got.(string); ok && alike(want, text) {
			return nil
		}
	default:
		if want == got {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s is %v, in the page %v", at, got, want)}
}

var longNumber = regexp.MustCompile(`^[0-9]{6,}$`)

func alike(want, got string) bool {
	if start, _, open := strings.Cut(want, "…"); open {
		return strings.HasPrefix(got, start) && len(got) > len(start)
	}
	if _, err := time.Parse(time.RFC3339, want); err == nil {
		_, err = time.Parse(time.RFC3339, got)
		return err == nil
	}
	return want == got || longNumber.MatchString(want) && longNumber.MatchString(got) && len(want) == len(got)
}

var cardRow = regexp.MustCompile("(?m)^\\| ([0-9 ]{19}) \\| (?:approved|declined, `([0-9]+)` ([A-Za-z ]+)) \\|$")

// TestTestCardsDoWhatThePageSays pays with each card of the first table, at the test gateway and by /api/pay.
func TestTestCardsDoWhatThePageSays(t *testing.T) {
	t.Parallel()
	d := newDeveloper(t)
	source, err := os.ReadFile("pages/test-cards.md")
	check.Must(t, err)
	rows := cardRow.FindAllStringSubmatch(string(source), -1)
	check.MustEqual(t, len(rows), 5, "rows %q", rows)
	type answer struct {
		Status struct{ StatusCode, ErrorDesc string }
		Code   string
	}
	for i, row := range rows {
		pan, code, words := strings.ReplaceAll(row[1], " ", ""), row[2], row[3]
		in := keys.Input{Currency: "GBP", Amount: "5.5", Reference: fmt.Sprintf("CARD-%d", i), Secret: secret.New(d.own["YOUR-SECRET"])}
		sent := map[string]any{
			"accountId": d.own["YOUR-ACCOUNT-ID"], "storeId": "1001", "deviceId": "01", "currency": "GBP", "amount": 5.5, "reference": in.Reference,
			"key": in.Key(keys.SHA256), "cardholder": "Ada", "pan": pan, "exp": "12/34", "cvc": "123",
		}
		first := apptest.JSON[answer](t, d.app.PostJSON(t, "/gateway/"+d.own["YOUR-UUID"]+"/pay", sent))
		want := code
		if code == "" {
			want = "0"
		}
		if first.Status.StatusCode != want || words != "" && first.Status.ErrorDesc != words {
			t.Errorf("%s at the test gateway: %+v", row[1], first)
		}
		second := apptest.JSON[answer](t, d.app.PostJSON(t, "/api/pay", map[string]any{
			"merchantId": "panezski", "trxId": d.app.Order(t), "cardholder": "Ada", "pan": pan, "exp": "12/34", "cvc": "123",
		}))
		if (second.Status.StatusCode == "0") != (code == "") || code != "" && (second.Status.StatusCode != "1" || second.Code != code || second.Status.ErrorDesc != words) {
			t.Errorf("%s by /api/pay: %+v", row[1], second)
		}
	}
	d.app.Get(t, "/docs/test-cards").Want(t, http.StatusOK, "/docs/test-cards")
}
