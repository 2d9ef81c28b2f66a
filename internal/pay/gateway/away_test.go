package gateway

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

func TestAway(t *testing.T) {
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
		{"an answer since, whatever it says", []reply{refused, answered}, 0, false},
		{"an unanswered call changes nothing", []reply{refused, silent}, 0, true},
		{"an unanswered call alone", []reply{silent}, 0, false},
		{"an answer before the failure", []reply{answered, refused}, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, now := &reach{}, time.Now()
			for _, call := range tt.calls {
				r.note(call, now)
			}
			check.Equal(t, r.away(now.Add(tt.after)), tt.want, "away")
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
			t.Errorf("%s took %s, want more than 0", call, took)
		}
		heard = append(heard, call+": "+outcome)
	})
	c.PayCard(t.Context(), CardPayment{Want: Want{Reference: "r-1"}})
	c.Look(t.Context(), Want{Reference: "r-1"})
	c.Resolve(t.Context(), Want{Reference: "r-1"})
	c.Refund(t.Context(), RefundRequest{Reference: "r-1"})
	want := []string{
		"POST /api/pay: unknown", "GET /api/payments/{reference}: never_arrived",
		"POST /api/payments/{reference}/resolve: unknown", "POST /api/refund: open",
	}
	check.List(t, heard, want, "observed")
	if c.Away() {
		t.Error("Away is true though the gateway answers")
	}
	c.Close() // close idle connections, so that the next call must open one
	server.Close()
	if c.Look(t.Context(), Want{Reference: "r-1"}); !c.Away() {
		t.Error("Away is false though no connection can be opened")
	}
}
