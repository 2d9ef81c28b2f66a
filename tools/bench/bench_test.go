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

	"forecourt/internal/kit/check"
	"forecourt/tools/drive"
)

func TestMiddleAndTail(t *testing.T) {
	t.Parallel()
	check.Equal(t, median([]float64{9, 1, 5}), 5, "the median of three")
	check.Equal(t, median([]float64{1, 9, 5, 7}), 7, "the upper median of four")
	var durations []time.Duration
	for n := range 200 {
		durations = append(durations, time.Duration(200-n)*time.Millisecond)
	}
	check.Equal(t, percentile99(durations), 198, "p99 of 1 to 200 ms")
}

func TestTheShareComparesAlternatingTurns(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	order, b := "", &bench{report: &report{out: &out}}
	err := b.compare("Pages", "requests", "a floor", 0.6,
		func() (float64, error) { order += "f"; return 200, nil },
		func() (float64, error) { order += "p"; return 100, nil },
	)
	if err != nil || order != "fppffppffppf" {
		t.Errorf("%v, in the order %s", err, order)
	}
	const want = "Pages requests, a floor 200/s requests, Forecourt 100/s share of the floor's 0.50× at least 0.60× MISSED"
	if got := strings.Join(strings.Fields(out.String()), " "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestPgbenchsRateIsReadAndFailuresAreRefused(t *testing.T) {
	t.Parallel()
	const good = "number of failed transactions: 0 (0.000%)\ntps = 1234.5 (without initial connection time)\n"
	if got, err := parseTPS(good); err != nil || got != 1234.5 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", strings.Replace(good, ": 0", ": 7", 1)} {
		got, err := parseTPS(bad)
		check.Error(t, err, "%q reads as %v", bad, got)
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
	s := &street{
		report: &report{out: io.Discard}, taken: map[string][]time.Duration{"menu page": {90 * time.Millisecond}}, memory: []float64{99},
	}
	s.judge()
	check.NoError(t, s.failures(), "nothing was wrong, and yet")
	s.taken["menu page"], s.memory = []time.Duration{147 * time.Millisecond}, []float64{101}
	s.note(t.Context(), errors.New("503"))
	closed, shut := context.WithCancel(t.Context())
	shut()
	s.note(closed, errors.New("late"))
	s.judge()
	got := s.failures().Error()
	const want = "3 failures, among them:\n503\nmemory of the program (PSS), median is 101.0 MB, not at most 100.0 MB\n" +
		"p99 of 1 × menu page is 147 ms, not at most 100 ms"
	check.Equal(t, got, want, "Error")
}

func TestAnAnswerOfAnotherStatusIsAnErrorAndTakesItsTime(t *testing.T) {
	t.Parallel()
	s := &street{taken: map[string][]time.Duration{}}
	err := s.timed("menu page")(drive.Answer{Status: http.StatusNotFound, Body: "gone"}, nil, http.StatusOK)
	if err == nil || err.Error() != "menu page: HTTP 404: gone" || len(s.taken["menu page"]) != 1 {
		t.Errorf("%v", err)
	}
}

func TestALoggedErrorFailsATrade(t *testing.T) {
	t.Parallel()
	for text, fails := range map[string]bool{
		`{"level":"INFO","msg":"serving"}` + "\n":                                  false,
		`{"level":"WARN","msg":"x"}` + "\n" + `{"level":"ERROR","msg":"y"}` + "\n": true,
	} {
		path := filepath.Join(t.TempDir(), "log")
		check.Must(t, os.WriteFile(path, []byte(text), 0o600))
		if err := clean(path); (err != nil) != fails {
			t.Errorf("%s: %v", text, err)
		}
	}
}
