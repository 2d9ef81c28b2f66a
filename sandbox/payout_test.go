package sandbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

// column returns one field of every line.
func column(lines []map[string]any, name string) (values []string) {
	for _, l := range lines {
		values = append(values, fmt.Sprint(l[name]))
	}
	return values
}

func TestTheLedgerListsTheRequestedKinds(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	f.pay("charged", "4111111111111111")
	f.pay("asked", "4000000000003220")
	f.pay("broken", "4000000000000119")
	f.pay("refused", "4000000000000002")
	f.pay("disputed", "4000000000002685")
	for query, want := range map[string][]string{
		"":                          {"charged", "disputed"},
		"?kinds=capture":            {"charged", "disputed"},
		"?kinds=open":               {"asked", "broken"},
		"?kinds=open&to=2029-05-06": {"asked", "broken"}, // whatever the window
		"?kinds=dispute":            {"disputed"},
		"?kinds=dispute,capture":    {"charged", "disputed", "disputed"},
		"?kinds=payout":             nil,
		"?kinds=nothing":            nil,
	} {
		got := column(f.ledger(query), "reference")
		slices.Sort(got)
		check.List(t, got, want, "ledger%s lists", query)
	}
	_, body := f.call("GET", "/ledger", nil)
	check.Equal(t, fmt.Sprint(body["kinds"]), "[capture refund open dispute payout]", "the ledger serves the kinds")
	for _, l := range append(f.ledger(""), f.ledger("?kinds=open")...) {
		check.Equal(t, l["merchantId"], "panezski", "an entry is")
		check.Equal(t, l["testMode"], true, "an entry is")
	}
	f.resolve("asked")
	if got := column(f.ledger("?kinds=open"), "reference"); len(got) != 1 || got[0] != "broken" {
		t.Errorf("after resolving one, %v are open", got)
	}
}

func TestDisputes(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	for _, reference := range []string{"won", "lost", "unanswered"} {
		_, paid := f.pay(reference, "4000000000002685")
		back := map[string]any{"transactionid": paid["transactionid"], "amount": "1.00", "currency": "AUD", "reference": "back-" + reference, "merchantId": "panezski", "testMode": true}
		if status, body := f.call("POST", "/api/refund", back); status != 422 || body["error"] != "the charge is disputed" {
			t.Errorf("a refund of a disputed charge was answered with %d %v", status, body)
		}
	}
	opened := f.ledger("?kinds=dispute")
	if got := column(opened, "state"); !slices.Equal(got, []string{"opened", "opened", "opened"}) || opened[0]["amount"] != "12.50" || opened[0]["due"] != "2029-05-13T07:08:09Z" {
		t.Fatalf("the opened disputes are %v", opened)
	}
	f.clock.Advance(time.Hour)
	for _, tt := range []struct {
		reference, state string
		status           int
	}{
		{"won", "won", 200}, {"lost", "lost", 200}, {"won", "lost", 404}, {"nobody's", "won", 404}, {"unanswered", "perhaps", 422},
	} {
		status, body := f.call("POST", "/sandbox/dispute", map[string]any{"reference": tt.reference, "state": tt.state})
		check.Equal(t, status, tt.status, "%s of %s was answered with %v", tt.state, tt.reference, body)
	}
	f.clock.Advance(8 * 24 * time.Hour)
	ended := f.ledger("?kinds=dispute")[3:]
	check.Equal(t, fmt.Sprint(column(ended, "reference"), column(ended, "state")), "[won lost unanswered] [won lost lost]",
		"the disputes ended")
}

func TestPayoutsHoldEachMovementOnce(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	charge := func(reference, amount, currency, pan string) any {
		_, paid := f.call("POST", "/api/pay", payment(reference, pan, map[string]any{"amount": amount, "currency": currency}))
		return paid["transactionid"]
	}
	// 1.5 % of 11.00 is 16.5 cents, rounded up; of 0.33 it is 0.495 cents, rounded down.
	first := charge("a", "11.00", "AUD", "4111111111111111")
	charge("b", "0.33", "AUD", "4111111111111111")
	charge("c", "5.00", "NZD", "4111111111111111")
	charge("disputed", "2.00", "AUD", "4000000000002685")
	status, body := f.call("POST", "/api/refund", map[string]any{"transactionid": first, "amount": "1.00", "currency": "AUD", "reference": "back", "merchantId": "panezski", "testMode": true})
	check.MustEqual(t, status, 200, "status, %v", body)
	check.Empty(t, f.ledger("?kinds=payout"), "paid out before midnight")
	f.clock.Advance(24 * time.Hour) // past 00:00 UTC
	words := func(lines []map[string]any) (all []string) {
		for _, l := range lines {
			all = append(all, strings.TrimSpace(fmt.Sprintln(l["at"], l["merchantId"], l["currency"], l["testMode"], l["gross"], l["fees"], l["net"], l["references"])))
		}
		slices.Sort(all)
		return all
	}
	want := []string{
		"2029-05-07T00:00:00Z panezski AUD true 12.33 0.20 12.13 [a b disputed back]",
		"2029-05-07T00:00:00Z panezski NZD true 5.00 0.08 4.92 [c]",
	}
	got := words(f.ledger("?kinds=payout"))
	check.Equal(t, fmt.Sprintf("%q", got), fmt.Sprintf("%q", want), "paid out %q, want %q", got, want)
	f.call("POST", "/sandbox/dispute", map[string]any{"reference": "disputed", "state": "lost"})
	f.clock.Advance(time.Minute)
	_, now := f.call("POST", "/sandbox/payout", nil)
	if got := fmt.Sprintf("%q", now["entries"]); len(now["entries"].([]any)) != 1 || now["entries"].([]any)[0].(map[string]any)["net"] != "-2.00" {
		t.Errorf("the lost dispute was paid out as %s", got)
	}
	_, again := f.call("POST", "/sandbox/payout", nil)
	check.Empty(t, again["entries"].([]any), "paid out twice: %v", again)
	if all := f.ledger("?kinds=payout"); len(all) != 3 || all[0]["id"] == all[1]["id"] {
		t.Errorf("the ledger lists %v", all)
	}
}
