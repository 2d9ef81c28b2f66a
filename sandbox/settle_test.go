package sandbox_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"forecourt/internal/kit/check"
)

func TestResolvingAnUnknownReferenceClosesItForEver(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	status, _ := f.look("ref-1")
	check.Equal(t, status, 404, "look answered … for a payment that never arrived")
	if status, body := f.resolve("ref-1"); status != 200 || body["state"] != "not_charged" {
		t.Errorf("resolve answered %d %v", status, body)
	}
	for range 2 {
		status, body := f.pay("ref-1", "4111111111111111")
		check.Equal(t, status, 410, "a closed reference was answered with %v", body)
		f.stop()
		f = restart(t, f.path, f.clock, nil)
	}
	if status, body := f.look("ref-1"); status != 200 || body["state"] != "not_charged" {
		t.Errorf("look answered %d %v", status, body)
	}
	check.Empty(t, f.ledger(""), "the ledger holds")
}

func TestResolve(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, pan, state, statuscode string }{
		{"an approved payment stays approved", "4111111111111111", "", "0"},
		{"a broken payment that was charged is approved", "4000000000000127", "", "0"},
		{"a declined payment stays declined", "4000000000000002", "", "05"},
		{"a broken payment without a charge is not charged", "4000000000000119", "not_charged", ""},
		{"an unfinished 3-D Secure challenge is closed", "4000000000003220", "not_charged", ""},
	} {
		f := start(t, nil)
		f.pay("ref-1", tt.pan)
		for range 2 {
			status, body := f.resolve("ref-1")
			state, _ := body["state"].(string)
			code, _ := at(body, "status.statuscode").(string)
			if status != 200 || state != tt.state || code != tt.statuscode {
				t.Errorf("%s: answered %d %v", tt.name, status, body)
			}
		}
		status, _ := f.pay("ref-1", "4111111111111111")
		check.Equal(t, status == 410, tt.state == "not_charged", "%s: paying with the reference again was answered with %d", tt.name, status)
	}
}

func TestARepeatedReferenceIsChargedAgainAndCounted(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	_, once := f.pay("ref-1", "4111111111111111")
	_, twice := f.pay("ref-1", "4111111111111111")
	if once["transactionid"] == twice["transactionid"] {
		t.Error("both charges have the same transactionid")
	}
	lines := f.ledger("")
	if len(lines) != 2 || lines[0]["arrivals"] != 2.0 || lines[1]["arrivals"] != 2.0 {
		t.Errorf("the ledger holds %v, want two captures with arrivals 2", lines)
	}
	_, body := f.look("ref-1")
	check.Equal(t, body["transactionid"], once["transactionid"], "look no longer reports the first charge")
	f.pay("ref-1", "4000000000000002")
	_, body = f.look("ref-1")
	check.Equal(t, at(body, "status.statuscode"), "0", "a later decline hides the charge")
}

func TestSixtyFourConcurrentChargesSurviveAKill(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			status, _ := f.pay(fmt.Sprintf("ref-%d", i), "4111111111111111")
			check.Equal(t, status, 200, "payer %d", i)
		})
	}
	all.Wait()
	// A killed process leaves the file as it is now.
	raw, err := os.ReadFile(f.path)
	check.Must(t, err)
	copied := t.TempDir() + "/ledger"
	check.Must(t, os.WriteFile(copied, raw, 0o600))
	f = restart(t, copied, f.clock, nil)
	check.Equal(t, len(f.ledger("")), 64, "charges are in the ledger")
}
