package gateway_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
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
			err := c.Ledger(t.Context(), time.Now().Add(-time.Hour), time.Now(), "", func(page []gateway.Entry) error {
				check.Empty(t, page, "movements")
				return nil
			})
			check.Equal(t, err == nil, tt.readable, "movements: %v", err)
			_, err = c.Open(t.Context())
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
	err := client(t, server.URL).Ledger(t.Context(), time.Now(), time.Now(), "", func(page []gateway.Entry) error {
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

func TestALedgerWhoseCursorsComeAgainIsNotReadForEver(t *testing.T) {
	t.Parallel()
	next := map[string]string{"": "1", "1": "2", "2": "3", "3": "1"}
	var served atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		fmt.Fprintf(w, `{"entries":[],"next":"%s"}`, next[r.FormValue("cursor")])
	}))
	defer server.Close()
	err := client(t, server.URL).Ledger(t.Context(), time.Now(), time.Now(), "", func([]gateway.Entry) error { return nil })
	check.Equal(t, fmt.Sprint(err), "the gateway's ledger repeats a page", "the reading")
	check.Equal(t, served.Load(), 4, "pages read")
}

func TestAnEntryThatLacksARequiredFieldIsOdd(t *testing.T) {
	t.Parallel()
	whole := map[string]any{
		"kind": "capture", "reference": "r", "merchantId": "m", "testMode": true, "amount": "1.00", "currency": "AUD",
		"at": "2026-10-01T00:00:00Z",
		"id": "p", "gross": "1.00", "fees": 0, "net": 11.5, "state": "opened",
	}
	read := func(kind string, lacks ...string) (odd string) {
		entry := maps.Clone(whole)
		entry["kind"] = kind
		for _, name := range lacks {
			delete(entry, name)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			check.NoError(t, json.NewEncoder(w).Encode(map[string]any{"entries": []any{entry}, "kinds": []string{"payout", "dispute"}}))
		}))
		defer server.Close()
		asked := gateway.Kind(kind)
		if kind == "capture" || kind == "refund" {
			asked = ""
		}
		check.Must(t, client(t, server.URL).Ledger(t.Context(), time.Now(), time.Now(), asked, func(page []gateway.Entry) error {
			check.MustEqual(t, len(page), 1, "entries")
			odd = page[0].Odd
			return nil
		}))
		return odd
	}
	for kind, required := range map[string]string{
		"capture": "reference merchantId testMode amount currency at", "refund": "reference merchantId testMode amount currency at",
		"dispute": "reference merchantId testMode amount currency at state", "payout": "id merchantId testMode gross fees net currency at",
	} {
		check.Equal(t, read(kind), "", "a whole %s", kind)
		for name := range strings.FieldsSeq(required) {
			check.Equal(t, read(kind, name) != "", true, "a %s without %s is odd", kind, name)
		}
	}
}
