package gateway

import (
	"os"
	"strings"
	"testing"
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
	text, err := os.ReadFile("../../docs/states.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), AnswersTable()) {
		t.Error("the table in docs/states.md is out of date: run make generate")
	}
}
