package gateway_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/pay/gateway"
)

// Taking an unreadable ledger for an empty one would open payments after a restore although the gateway may have captured them.
func TestAnAnswerWithoutEntriesIsNotAnEmptyLedger(t *testing.T) {
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
			_, err := c.Open(t.Context())
			check.Equal(t, err == nil, tt.readable, "open payments: %v", err)
		})
	}
}

// A ledger of millions of entries would not fit into memory.
func TestALedgerIsReadPageByPage(t *testing.T) {
	t.Parallel()
	var served atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"entries":[{"kind":"capture","reference":"%d","amount":"1.00"}],"next":"after %[1]d"}`, served.Add(1))
	}))
	defer server.Close()
	stop := errors.New("stop")
	taken := 0
	err := client(t, server.URL).LedgerPages(t.Context(), time.Now(), time.Now(), func(page []gateway.Entry) error {
		if taken++; len(page) != 1 || page[0].Reference != strconv.Itoa(taken) || int(served.Load()) != taken {
			t.Errorf("page %d of %d read so far: %+v", taken, served.Load(), page)
		}
		if taken == 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || taken != 2 || served.Load() != 2 {
		t.Errorf("%d taken, %d read, %v", taken, served.Load(), err)
	}
}
