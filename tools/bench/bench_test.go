package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMiddleAndTail(t *testing.T) {
	t.Parallel()
	if got := median([]float64{9, 1, 5}); got != 5 {
		t.Errorf("the median of three is %v", got)
	}
	if got := median([]float64{1, 9, 5, 7}); got != 6 {
		t.Errorf("the median of four is %v", got)
	}
	var durations []time.Duration
	for n := range 200 {
		durations = append(durations, time.Duration(200-n)*time.Millisecond)
	}
	if got := percentile99(durations); got != 198 {
		t.Errorf("p99 of 1 to 200 ms is %v", got)
	}
}

func TestTheShareComparesAlternatingTurns(t *testing.T) {
	t.Parallel()
	order := ""
	r, err := turns(
		func() (float64, error) { order += "f"; return 200, nil },
		func() (float64, error) { order += "p"; return 100, nil },
	)
	if want := strings.Repeat("fppf", rounds)[:2*(rounds+1)]; err != nil || r != (rates{200, 100, 0.5}) || order != want {
		t.Errorf("%+v, %v, in the order %s, want %s", r, err, order, want)
	}
}

func TestPgbenchsRateIsReadAndFailuresAreRefused(t *testing.T) {
	t.Parallel()
	const good = "number of failed transactions: 0 (0.000%)\ntps = 1234.5 (without initial connection time)\n"
	if got, err := parseTPS(good); err != nil || got != 1234.5 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", strings.Replace(good, ": 0", ": 7", 1)} {
		if got, err := parseTPS(bad); err == nil {
			t.Errorf("%q reads as %v", bad, got)
		}
	}
}

func TestTheGatewaysAnswerIsAnApproval(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	approve(w, httptest.NewRequest(http.MethodPost, "/api/pay", strings.NewReader(`{"reference":"r1"}`)))
	var said struct {
		Status        struct{ ResponseType string }
		TransactionID string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil || said.Status.ResponseType != "1" || said.TransactionID != "r1" {
		t.Errorf("%s, %v", w.Body, err)
	}
}

func TestErrorsSlowPagesAndMemoryFailATrade(t *testing.T) {
	t.Parallel()
	b, s := &bench{report: &report{out: io.Discard}}, &street{taken: map[string][]time.Duration{"menu page": {90 * time.Millisecond}}}
	if err := errors.Join(b.judge(s, 99), s.failures()); err != nil {
		t.Errorf("nothing was wrong, and yet: %v", err)
	}
	s.taken["menu page"] = []time.Duration{147 * time.Millisecond}
	s.note(t.Context(), errors.New("503"))
	closed, shut := context.WithCancel(t.Context())
	shut()
	s.note(closed, errors.New("late"))
	got := errors.Join(b.judge(s, 101), s.failures()).Error()
	if want := "the program takes 101 MB\np99 of the menu page is 147 ms\n1 errors, among them:\n  503"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestALoggedErrorFailsATrade(t *testing.T) {
	t.Parallel()
	for text, fails := range map[string]bool{
		`{"level":"INFO","msg":"serving"}` + "\n":                                  false,
		`{"level":"WARN","msg":"x"}` + "\n" + `{"level":"ERROR","msg":"y"}` + "\n": true,
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := clean(path); (err != nil) != fails {
			t.Errorf("%s: %v", text, err)
		}
	}
}
