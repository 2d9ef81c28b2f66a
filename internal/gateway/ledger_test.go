package gateway_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A ledger that is taken for empty opens payments after a restore although the gateway may have captured them.
func TestAnAnswerWithoutEntriesIsNoEmptyLedger(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body     string
		readable bool
	}{
		{`{"entries":[],"next":"","kinds":["capture","refund","open"]}`, true},
		{`{"entries":null,"next":"","kinds":["capture","refund","open"]}`, true},
		{`{"kinds":["capture","refund","open"]}`, false},
		{`{}`, false},
		{`{"error":"busy"}`, false},
		{`null`, false},
		{`[]`, false},
		{``, false},
		{`Service temporarily unavailable`, false},
		{`{"entries":[{"kind":"capture"`, false},
	} {
		t.Run(tt.body, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, tt.body) }))
			defer server.Close()
			c := client(t, server.URL)
			if entries, err := c.Ledger(t.Context(), time.Now().Add(-time.Hour), time.Now()); (err == nil) != tt.readable || len(entries) > 0 {
				t.Errorf("movements: %v, %v", entries, err)
			}
			if _, err := c.Open(t.Context()); (err == nil) != tt.readable {
				t.Errorf("open payments: %v", err)
			}
		})
	}
}
