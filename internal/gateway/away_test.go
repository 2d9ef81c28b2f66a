package gateway

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

func TestWhenTheGatewayIsKnownToBeAway(t *testing.T) {
	t.Parallel()
	refused := reply{err: errors.New("connection refused")}
	silent := reply{err: errors.New("no answer in time"), connected: true}
	answered := reply{status: http.StatusBadGateway, connected: true}
	for _, tt := range []struct {
		name  string
		calls []reply
		after time.Duration
		want  bool
	}{
		{"nothing is known at first", nil, 0, false},
		{"no connection", []reply{refused}, 0, true},
		{"no connection, 29 s ago", []reply{refused}, 29 * time.Second, true},
		{"no connection, 30 s ago", []reply{refused}, 30 * time.Second, false},
		{"it answered since, whatever it said", []reply{refused, answered}, 0, false},
		{"a call that was not answered tells nothing", []reply{refused, silent}, 0, true},
		{"nor does one alone", []reply{silent}, 0, false},
		{"it was there before", []reply{answered, refused}, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, now := &reach{}, time.Now()
			for _, call := range tt.calls {
				r.note(call, now)
			}
			if got := r.away(now.Add(tt.after)); got != tt.want {
				t.Errorf("away is %t, want %t", got, tt.want)
			}
		})
	}
}

func TestCallsAreObservedWithoutTheirReference(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	c := New(Config{URL: server.URL})
	var heard []string
	c.Observe(func(call, outcome string, took time.Duration) {
		if took <= 0 {
			t.Errorf("%s took %s", call, took)
		}
		heard = append(heard, call+": "+outcome)
	})
	c.PayCard(t.Context(), CardPayment{Reference: "r-1"})
	c.Look(t.Context(), Want{Reference: "r-1"})
	c.Resolve(t.Context(), ResolveRequest{Reference: "r-1"})
	c.Refund(t.Context(), RefundRequest{Reference: "r-1"})
	want := []string{
		"POST /api/pay: unknown", "GET /api/payments/{reference}: never_arrived",
		"POST /api/payments/{reference}/resolve: unknown", "POST /api/refund: open",
	}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
	if c.Away() {
		t.Error("it answers and is said to be away")
	}
	c.Close() // an idle connection is one that could be opened
	server.Close()
	if c.Look(t.Context(), Want{Reference: "r-1"}); !c.Away() {
		t.Error("no connection can be opened, and it is not said to be away")
	}
}
