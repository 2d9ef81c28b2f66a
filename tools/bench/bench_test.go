package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestParseProcessorTime(t *testing.T) {
	t.Parallel()
	got, err := parseProcessorTime("42 (a (b) c) S 1 42 42 0 -1 4194560 5 0 0 0 150 50 0 0 20 0 9 0 1 2 3\n")
	if err != nil || got != 2*time.Second {
		t.Errorf("user 150 and system 50 ticks are %v, %v", got, err)
	}
	if _, err := parseProcessorTime("42 (a) S 1"); err == nil {
		t.Error("no error for a truncated line")
	}
}

func TestParseShare(t *testing.T) {
	t.Parallel()
	got, err := parseShare("00400000-7ffe ---p 0 00:00 0 [rollup]\nRss:  9000 kB\nPss:  1000 kB\nPss_Dirty:  7 kB\n")
	if err != nil || got != 1.024 {
		t.Errorf("1000 kB are %v MB, %v", got, err)
	}
	if _, err := parseShare("Rss: 1 kB\n"); err == nil {
		t.Error("no error for a rollup without Pss")
	}
}

func TestMiddleAndTail(t *testing.T) {
	t.Parallel()
	if got := median([]float64{5, 1, 3}); got != 3 {
		t.Errorf("the median of three is %v", got)
	}
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("the median of four is %v", got)
	}
	var durations []time.Duration
	for i := range 200 {
		durations = append(durations, time.Duration(200-i)*time.Millisecond)
	}
	if got := percentile99(durations); got != 198 {
		t.Errorf("99 of a hundred take at most %v ms", got)
	}
}

func TestAskReadsWholeAnswersOverOneConnection(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte("a body\r\n\r\nwith an empty line"))
	}))
	defer server.Close()
	a, err := newAsker(t.Context(), server.URL, "/")
	if err != nil {
		t.Fatal(err)
	}
	defer a.conn.Close()
	for range 3 {
		if err := a.ask(); err != nil {
			t.Fatal(err)
		}
	}
	status = http.StatusInternalServerError
	if err := a.ask(); err == nil {
		t.Error("no error for an error page")
	}
}
