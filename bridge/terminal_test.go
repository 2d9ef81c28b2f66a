package bridge_test

import (
	"encoding/json"
	"testing"
	"time"

	"forecourt/bridge"
	"forecourt/internal/kit/check"
)

// clock is a clock that tests set.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.Date(2025, 5, 1, 10, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time          { return c.at }
func (c *clock) pass(some time.Duration) { c.at = c.at.Add(some) }

func TestAPaymentProgressesWithTheClock(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		minor int64
		end   string
	}{
		{"an amount is approved", 500, bridge.Approved},
		{"an amount that ends in .05 is declined", 1005, bridge.Declined},
		{"an amount that ends in .08 times out", 8, bridge.TimedOut},
		{"an amount that ends in .80 is approved", 1080, bridge.Approved},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newClock()
			terminal := bridge.NewTerminal(false, c.now)
			if got := terminal.Status(); got.Status != bridge.Ready || !got.Connected || got.Trx != nil {
				t.Errorf("before the first payment: %+v", got)
			}
			if got := terminal.Pay("r1", tt.minor); got.Status != bridge.Connecting || got.TrxRef != "r1" || got.Amount != float64(tt.minor)/100 {
				t.Errorf("at once: %+v", got)
			}
			c.pass(time.Second)
			if got := terminal.Status(); got.Status != bridge.Processing || got.Trx != nil {
				t.Errorf("after 1 s: %+v", got)
			}
			c.pass(2 * time.Second)
			want := bridge.Trx{Result: tt.end, EndedAt: "2025-05-01T10:00:03Z"}
			c.pass(time.Hour)
			if got := terminal.Status(); got.Status != tt.end || got.Trx == nil || *got.Trx != want {
				t.Errorf("at the end: %+v", got)
			}
			got := terminal.Pay("r1", tt.minor)
			check.Equal(t, got.Status, tt.end, "the same payment was started a second time: %+v", got)
			if got := terminal.Pay("r2", 100); got.Status != bridge.Connecting || got.TrxRef != "r2" {
				t.Errorf("the next payment: %+v", got)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	c := newClock()
	terminal := bridge.NewTerminal(false, c.now)
	got := terminal.Cancel("nothing")
	check.Equal(t, got.Status, bridge.Ready, "cancelling without a payment: %+v", got)
	terminal.Pay("r1", 500)
	got = terminal.Cancel("other")
	check.Equal(t, got.Status, bridge.Connecting, "another reference cancelled the payment: %+v", got)
	c.pass(time.Second)
	if got := terminal.Cancel("r1"); got.Status != bridge.Cancelled || got.Trx.EndedAt != "2025-05-01T10:00:01Z" {
		t.Errorf("cancelled: %+v", got)
	}
	c.pass(time.Hour)
	got = terminal.Status()
	check.Equal(t, got.Status, bridge.Cancelled, "later on: %+v", got)
	terminal.Pay("r2", 500)
	c.pass(3 * time.Second)
	got = terminal.Cancel("r2")
	check.Equal(t, got.Status, bridge.Approved, "cancelling an approved payment made it %+v", got)
}

func TestOnePaymentAtATime(t *testing.T) {
	t.Parallel()
	c := newClock()
	terminal := bridge.NewTerminal(false, c.now)
	terminal.Pay("r1", 500)
	if got := terminal.Pay("r2", 700); got.Status != bridge.Busy || got.TrxRef != "r1" || got.Amount != 5 {
		t.Errorf("a second payment meanwhile: %+v", got)
	}
	c.pass(3 * time.Second)
	if got := terminal.Status(); got.Status != bridge.Approved || got.TrxRef != "r1" {
		t.Errorf("the first one: %+v", got)
	}
}

func TestUnplugged(t *testing.T) {
	t.Parallel()
	terminal := bridge.NewTerminal(true, newClock().now)
	for _, got := range []bridge.Status{terminal.Status(), terminal.Pay("r1", 500), terminal.Cancel("r1")} {
		if got.Connected || got.Status != bridge.Ready || got.TrxRef != "" {
			t.Errorf("BRIDGE-07 %+v", got)
		}
	}
}

func TestTheShapeOfAnEndedPayment(t *testing.T) {
	t.Parallel()
	c := newClock()
	terminal := bridge.NewTerminal(false, c.now)
	terminal.Pay("1746093600000", 1250)
	c.pass(3 * time.Second)
	got, err := json.Marshal(terminal.Status())
	check.Must(t, err)
	want := `{"connected":true,"status":"approved","trxRef":"1746093600000","currency":"AUD","amount":12.5,` +
		`"trx":{"result":"approved","endedAt":"2025-05-01T10:00:03Z"}}`
	t.Run("the status has its fields and their types (BRIDGE-28)", func(t *testing.T) {
		if string(got) != want {
			t.Errorf("it is %s, want %s", got, want)
		}
	})
}
