package sandbox_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

// control makes a call that has to succeed.
func (f *fixture) control(call string, body map[string]any) {
	f.t.Helper()
	status, got := f.call("POST", "/sandbox/"+call, body)
	check.MustEqual(f.t, status, 200, "%s %v answered %v", call, body, got)
}

func (f *fixture) refundable(paid map[string]any, amount string) bool {
	f.t.Helper()
	status, _ := f.call("POST", "/api/refund", map[string]any{
		"transactionid": paid["transactionid"], "amount": amount, "currency": "AUD", "merchantId": "panezski", "testMode": true,
		"reference": "asked-" + strings.ReplaceAll(amount, ".", "-"),
	})
	return status == 200
}

func TestARefundInTheConsoleIsInTheLedgerAndLeavesLess(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	_, paid := f.pay("paid", "4111111111111111")
	f.control("refund", map[string]any{"transactionid": paid["transactionid"], "amount": "5.00", "reference": "console-1"})
	for _, wrong := range []map[string]any{
		{"transactionid": paid["transactionid"], "amount": "7.51", "reference": "console-2"},
		{"transactionid": paid["transactionid"], "amount": "0.00", "reference": "console-2"},
		{"transactionid": paid["transactionid"], "amount": "1.00"},
		{"transactionid": "sbx-nothing", "amount": "1.00", "reference": "console-2"},
	} {
		status, _ := f.call("POST", "/sandbox/refund", wrong)
		check.Equal(t, status, 422, "%v", wrong)
	}
	f.stop()
	f = restart(t, f.path, f.clock, nil)
	back := f.ledger("?kinds=refund")
	check.MustEqual(t, len(back), 1, "refunds")
	check.Equal(t, fmt.Sprintln(back[0]["reference"], back[0]["amount"], back[0]["trxId"], back[0]["merchantId"], back[0]["arrivals"]),
		"console-1 5.00 trx-paid panezski 0\n", "the refund")
	check.Equal(t, f.refundable(paid, "7.51"), false, "more than is left can be refunded")
	check.Equal(t, f.refundable(paid, "7.50"), true, "what is left can be refunded")
}

func TestEntriesAreListedLateOrWithdrawn(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	_, paid := f.pay("paid", "4111111111111111")
	soon, before := f.clock.Now().Add(time.Hour), f.clock.Now().Add(-72*time.Hour)
	refund := map[string]any{"transactionid": paid["transactionid"], "amount": "1.00", "reference": "old", "at": before, "shown": soon}
	f.control("refund", refund)
	f.control("entry", map[string]any{"kind": "capture", "reference": "paid", "shown": soon})
	check.Empty(t, f.ledger(""), "listed before its time")
	f.clock.Advance(time.Hour)
	check.Equal(t, fmt.Sprint(column(f.ledger(""), "reference")), "[old paid]", "listed late, oldest first")
	check.Equal(t, fmt.Sprint(f.ledger("?to=2029-05-04")[0]["at"]), "2029-05-03T07:08:09Z", "its own time")
	f.control("entry", map[string]any{"kind": "capture", "reference": "paid", "at": before.Add(-time.Hour), "amount": "12.00"})
	lines := f.ledger("")
	check.Equal(t, fmt.Sprint(column(lines, "reference"), column(lines, "amount")), "[paid old] [12.00 1.00]", "moved and changed")
	f.control("entry", map[string]any{"kind": "refund", "reference": "old", "withdrawn": true})
	f.stop()
	f = restart(t, f.path, f.clock, nil)
	check.Equal(t, fmt.Sprint(column(f.ledger(""), "reference")), "[paid]", "after one was withdrawn")
	f.control("payout", nil)
	for _, out := range f.ledger("?kinds=payout") {
		check.Equal(t, fmt.Sprint(out["references"]), "[paid]", "a payout holds")
	}
	status, _ := f.call("POST", "/sandbox/entry", map[string]any{"kind": "refund", "reference": "nothing", "withdrawn": true})
	check.Equal(t, status, 404, "an entry that is not there")
}

func TestDisputesHaveAmountsOfTheirOwn(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	paid := map[string]map[string]any{}
	for _, reference := range []string{"part", "more", "returned", "refused"} {
		_, paid[reference] = f.pay(reference, "4111111111111111")
	}
	f.control("dispute", map[string]any{"reference": "part", "state": "opened", "amount": "11.00"})
	check.Equal(t, f.refundable(paid["part"], "0.50"), false, "what is disputed can be refunded")
	f.control("dispute", map[string]any{"reference": "part", "state": "lost", "amount": "4.00"})
	check.Equal(t, f.refundable(paid["part"], "8.51"), false, "what was lost can be refunded")
	check.Equal(t, f.refundable(paid["part"], "8.50"), true, "what was not lost can be refunded")
	f.control("dispute", map[string]any{"reference": "more", "state": "opened", "amount": "20.00"})
	f.control("dispute", map[string]any{"reference": "returned", "state": "opened"})
	f.clock.Advance(8 * 24 * time.Hour)
	f.control("dispute", map[string]any{"reference": "returned", "state": "won"})
	check.Equal(t, f.refundable(paid["returned"], "12.50"), true, "what was won back can be refunded")
	for _, state := range []string{"won", "lost"} {
		status, _ := f.call("POST", "/sandbox/dispute", map[string]any{"reference": "refused", "state": state})
		check.Equal(t, status, 404, "%s without a dispute", state)
	}
	var got []string
	for _, e := range f.ledger("?kinds=dispute") {
		got = append(got, fmt.Sprintln(e["reference"], e["state"], e["amount"]))
	}
	check.Equal(t, fmt.Sprint(got), "[part opened 11.00\n part lost 4.00\n more opened 20.00\n returned opened 12.50\n more lost 20.00\n "+
		"returned lost 12.50\n returned won 12.50\n]", "the ledger lists")
	f.clock.Advance(time.Minute)
	f.control("payout", nil)
	var net []string
	for _, out := range f.ledger("?kinds=payout") {
		net = append(net, fmt.Sprint(out["net"], out["references"]))
	}
	check.Equal(t, fmt.Sprint(net), "[36.74[part more returned refused part asked-8-50] -32.50[more returned] 0.00[returned asked-12-50]]",
		"paid out")
}

func TestPayoutIDsCanRepeatAndPayoutsComeLate(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	for _, reference := range []string{"first", "second"} {
		f.pay(reference, "4111111111111111")
		f.clock.Advance(time.Minute)
		f.control("payout?id=P-1&at=2029-05-0"+map[string]string{"first": "3", "second": "4"}[reference], nil)
	}
	lines := f.ledger("?kinds=payout")
	check.Equal(t, fmt.Sprint(column(lines, "id"), column(lines, "references"), column(lines, "at")),
		"[P-1 P-1] [[first] [second]] [2029-05-03T00:00:00Z 2029-05-04T00:00:00Z]", "payouts")
}

func TestAPageByOffsetRepeatsEntriesWhenTheLedgerGrows(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	var paid map[string]any
	for _, reference := range []string{"a", "b", "c"} {
		_, paid = f.pay(reference, "4111111111111111")
		f.clock.Advance(time.Second)
	}
	read := func(cursor any) (references, next string) {
		_, body := f.call("GET", fmt.Sprintf("/ledger?cursor=%v", cursor), nil)
		for _, e := range body["entries"].([]any) {
			references += e.(map[string]any)["reference"].(string)
		}
		return references, body["next"].(string)
	}
	f.control("pages", map[string]any{"size": 2})
	first, next := read("")
	hourAgo := f.clock.Now().Add(-time.Hour)
	f.control("refund", map[string]any{"transactionid": paid["transactionid"], "amount": "1.00", "reference": "z", "at": hourAgo})
	second, end := read(next)
	check.Equal(t, first+" "+second+" "+end, "ab bc ", "the pages, while an earlier entry came")
	f.control("pages", map[string]any{"size": 2, "repeat": 1})
	first, next = read("")
	second, next = read(next)
	third, end := read(next)
	check.Equal(t, first+" "+second+" "+third+" "+end, "za ab bc ", "the pages, each repeating an entry")
	status, _ := f.call("POST", "/sandbox/pages", map[string]any{"size": 2, "repeat": 2})
	check.Equal(t, status, 422, "pages that repeat themselves")
	f.control("pages", map[string]any{"size": 0})
	first, _ = read("")
	check.Equal(t, first, "zabc", "one page")
}
