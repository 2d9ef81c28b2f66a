package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestGrowingMemoryAndDeadRowsFailATrade(t *testing.T) {
	t.Parallel()
	flat := slices.Repeat([]float64{80}, 60)
	begins := slices.Concat(slices.Repeat([]float64{20}, 6), slices.Repeat([]float64{80}, 54))
	grows := slices.Concat(slices.Repeat([]float64{80}, 40), slices.Repeat([]float64{89}, 20))
	for _, tt := range []struct {
		name    string
		shares  []float64
		bloated []string
		want    string
	}{
		{"flat", flat, nil, ""},
		{"the beginning does not count", begins, nil, ""},
		{"it grows by 11 %", grows, nil, "memory grew to 1.11 times"},
		{"dead rows", flat, []string{"attempt"}, "more than a fifth of the rows are dead in [attempt]"},
		{"it was too short", flat[:2], nil, "too short to compare thirds"},
	} {
		err := (&watch{shares: tt.shares, bloated: tt.bloated}).verdict(&report{out: io.Discard})
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestEveryErrorOfATradeCounts(t *testing.T) {
	t.Parallel()
	var tape tape
	if err := tape.verdict(); err != nil {
		t.Errorf("without a failure the verdict is %v", err)
	}
	tape.time("menu page", time.Second)
	for range 12 {
		tape.fail(errors.New("503"))
	}
	if taken, counts := tape.next(); len(taken["menu page"]) != 1 || counts["error"] != 12 {
		t.Errorf("recorded %v and %v", taken, counts)
	}
	if _, counts := tape.next(); counts["error"] != 0 {
		t.Errorf("counted again: %v", counts)
	}
	if err := tape.verdict(); err == nil || !strings.HasPrefix(err.Error(), "12 errors, among them:\n") || strings.Count(err.Error(), "503") != 10 {
		t.Errorf("the verdict is %v", err)
	}
}

func TestASlowPageFailsATradeInWhicheverPart(t *testing.T) {
	t.Parallel()
	var tape tape
	tape.waited("menu page", 10*time.Minute, 99.6)
	if err := tape.verdict(); err != nil {
		t.Errorf("no page was slow, and yet: %v", err)
	}
	tape.waited("desk page", 20*time.Minute, 147.2)
	tape.waited("desk page", 30*time.Minute, 40)
	if err := tape.verdict(); err == nil || err.Error() != "p99 of the desk page is 147 ms in the part until 20m0s" {
		t.Errorf("the desk's page was slow: %v", err)
	}
	tape.fail(errors.New("503"))
	if err := tape.verdict(); err == nil || !strings.Contains(err.Error(), "1 errors, among them:") || !strings.Contains(err.Error(), "147 ms") {
		t.Errorf("a request failed, too: %v", err)
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
