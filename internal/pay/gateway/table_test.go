package gateway

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

// TestOnlyThePairsOfTheWireFormatAreFinal compares each answer with the contract's table. A letter stands for an outcome (approved,
// declined, redirected, unknown), in the order no redirect, an unusable one, a usable one; first cards, then wallets.
func TestOnlyThePairsOfTheWireFormatAreFinal(t *testing.T) {
	t.Parallel()
	const table = `
		absent absent uuu uuu
		absent empty  uuu uuu
		absent 0      uuu aaa
		absent 1      uuu ddd
		absent 1A     uuu ddd
		absent text   uuu ddd
		empty  absent uuu uuu
		empty  empty  uuu uuu
		empty  0      uuu aaa
		empty  1      uuu ddd
		empty  1A     uuu ddd
		empty  text   uuu ddd
		0      absent uuu uuu
		0      empty  uuu uuu
		0      0      uuu uuu
		0      1      ddd ddd
		0      1A     ddd ddd
		0      text   ddd ddd
		1      absent uuu uuu
		1      empty  uuu uuu
		1      0      aaa aaa
		1      1      ddd ddd
		1      1A     ddd ddd
		1      text   ddd ddd
		2      absent uur uur
		2      empty  uur uur
		2      0      uur uur
		2      1      uur uur
		2      1A     uur uur
		2      text   uur uur
		3      absent uuu uuu
		3      empty  uuu uuu
		3      0      uuu uuu
		3      1      uuu uuu
		3      1A     uuu uuu
		3      text   uuu uuu
		text   absent uuu uuu
		text   empty  uuu uuu
		text   0      uuu uuu
		text   1      uuu uuu
		text   1A     uuu uuu
		text   text   uuu uuu`
	outcomes := map[byte]Outcome{'a': "approved", 'd': "declined", 'r': "redirected", 'u': "unknown"}
	for line := range strings.Lines(strings.TrimSpace(table)) {
		words := strings.Fields(line)
		for i, want := range []byte(words[2] + words[3]) {
			redirect, wallet := []string{"none", "unusable", "usable"}[i%3], i >= 3
			got := ReadAnswer(200, sampleAnswer(words[0], words[1], redirect), Want{Wallet: wallet})
			if got.Outcome != outcomes[want] {
				t.Errorf("responsetype %s, statuscode %s, redirect %s, wallet %t: %s, want %s", words[0], words[1], redirect, wallet, got.Outcome, outcomes[want])
			}
		}
	}
	text, err := os.ReadFile("../../../docs/states.md")
	check.Must(t, err)
	want := answersTable()
	check.Contains(t, string(text), want, "docs/states.md should have this table")
}

// answersTable prints how an answer with HTTP 200 is read, for every response type, status code, method and redirect, as a
// Markdown table.
func answersTable() string {
	var b strings.Builder
	b.WriteString("| responsetype | statuscode | card | card, unusable redirect | card, usable redirect | wallet " +
		"| wallet, unusable redirect | wallet, usable redirect |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, kind := range []string{"absent", "empty", "0", "1", "2", "3", "text"} {
		for _, code := range []string{"absent", "empty", "0", "1", "1A", "text"} {
			fmt.Fprintf(&b, "| %s | %s |", kind, code)
			for _, wallet := range []bool{false, true} {
				for _, redirect := range []string{"none", "unusable", "usable"} {
					a := ReadAnswer(200, sampleAnswer(kind, code, redirect), Want{Wallet: wallet})
					fmt.Fprintf(&b, " %s |", a.Outcome)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// sampleAnswer returns an answer with these values.
func sampleAnswer(kind, code, redirect string) []byte {
	field := func(name, value string) string {
		switch value {
		case "absent":
			return ""
		case "empty":
			value = ""
		}
		return fmt.Sprintf("%q:%q,", name, value)
	}
	address := map[string]string{"none": "", "unusable": "javascript:alert(1)", "usable": "https://bank.test/3ds"}[redirect]
	return fmt.Appendf(nil, `{"status":{%s%s"errordesc":""},"redirect":%q}`, field("responsetype", kind), field("statuscode", code), address)
}
