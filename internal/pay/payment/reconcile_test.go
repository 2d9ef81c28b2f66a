package payment_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

// timedLedger is a gateway with a ledger that a test writes. It records the length of each window it is asked for.
type timedLedger struct {
	mu        sync.Mutex
	reference any
	trx       any
	at        []time.Time // of charges with the same reference
	asked     []time.Duration
}

func (l *timedLedger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Method == http.MethodPost {
		var sent map[string]any
		_ = json.NewDecoder(r.Body).Decode(&sent)
		l.reference, l.trx = sent["reference"], sent["trxId"]
		fmt.Fprintf(w, approved, "one", "")
		return
	}
	from, _ := time.Parse(time.RFC3339Nano, r.FormValue("from"))
	to, _ := time.Parse(time.RFC3339Nano, r.FormValue("to"))
	l.asked = append(l.asked, to.Sub(from))
	entries := []map[string]any{}
	for _, at := range l.at {
		if !at.Before(from) && at.Before(to) {
			entries = append(entries, map[string]any{"kind": "capture", "reference": l.reference, "trxId": l.trx, "amount": "11.00", "currency": "AUD", "arrivals": 1, "at": at})
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"entries": entries})
}

func (l *timedLedger) longest() (longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.asked {
		longest = max(longest, d)
	}
	return longest
}

// TestAComparisonHoldsAFewHours compares two days with a payment some time before their end. Memory holds only one part of the window,
// however long it is.
func TestAComparisonHoldsAFewHours(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		settled time.Duration   // before the end of the window
		there   []time.Duration // by the gateway's clock
		want    string
		further bool // a part needs more of the ledger
	}{
		"the books agree":                     {10 * time.Hour, []time.Duration{10 * time.Hour}, "", false},
		"at the border of two parts":          {4*time.Hour - time.Second, []time.Duration{4*time.Hour + time.Second}, "", false},
		"a payment begun before the window":   {48*time.Hour - time.Minute, []time.Duration{48*time.Hour + time.Minute}, "", false},
		"the gateway's clock is behind":       {10 * time.Hour, []time.Duration{15 * time.Hour}, "", true},
		"the gateway's clock is ahead":        {10 * time.Hour, []time.Duration{5 * time.Hour}, "", true},
		"a second charge at once":             {10 * time.Hour, []time.Duration{10 * time.Hour, 10*time.Hour - time.Second}, "the gateway moved money twice for one reference", false},
		"a second charge hours later":         {20 * time.Hour, []time.Duration{20 * time.Hour, 9 * time.Hour}, "the gateway moved money twice for one reference", true},
		"a charge that the gateway forgot":    {10 * time.Hour, nil, "the gateway does not know it", true},
		"a charge at the end of another part": {8*time.Hour + time.Second, []time.Duration{8*time.Hour + time.Second}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &timedLedger{}
			app := apptest.New(t, apptest.Options{Gateway: l})
			paid(t, app)
			end := time.Now()
			l.mu.Lock()
			for _, before := range tt.there {
				l.at = append(l.at, end.Add(-before))
			}
			l.mu.Unlock()
			changeByHand(t, app, fmt.Sprintf("UPDATE attempt SET created_at = '%[1]s', settled_at = '%[1]s'", end.Add(-tt.settled).Format(time.RFC3339Nano)))
			c, err := app.Payments.Reconcile(t.Context(), end.Add(-48*time.Hour), end)
			check.Must(t, err)
			said := ""
			for _, d := range c.Differences {
				said += d.Problem
			}
			if said != tt.want || c.Captures != len(tt.there) {
				t.Errorf("%d captures, %q, want %q", c.Captures, said, tt.want)
			}
			longest := l.longest()
			check.Equal(t, longest > 6*time.Hour, tt.further, "it read up to %s of the ledger at once", longest)
		})
	}
}

// TestASecondChargeOfAnEarlierPaymentIsFoundWithinMinutes charges again for a payment made long before the compared hour.
func TestASecondChargeOfAnEarlierPaymentIsFoundWithinMinutes(t *testing.T) {
	t.Parallel()
	l := &timedLedger{}
	app := apptest.New(t, apptest.Options{Gateway: l})
	paid(t, app)
	now := time.Now()
	l.mu.Lock()
	l.at = []time.Time{now.Add(-5 * time.Hour)}
	l.mu.Unlock()
	changeByHand(t, app, "UPDATE attempt SET created_at = now() - interval '5 hours', settled_at = now() - interval '5 hours'")
	if found, err := app.Payments.CompareLately(t.Context()); err != nil || found != 0 || l.longest() > 3*time.Hour {
		t.Errorf("charged once: %d found, %s read, %v", found, l.longest(), err)
	}
	l.mu.Lock()
	l.at = append(l.at, now.Add(-10*time.Minute))
	l.mu.Unlock()
	if found, err := app.Payments.CompareLately(t.Context()); err != nil || found != 1 {
		t.Errorf("charged twice: %d found, %v", found, err)
	}
}
