package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestRunPhases(t *testing.T) {
	t.Parallel()
	var ran []string
	passing := one("fine", func(_ context.Context, out io.Writer) error {
		ran = append(ran, "fine")
		fmt.Fprint(out, "half a ")
		fmt.Fprint(out, "line\nthe rest")
		return nil
	})
	failing := one("broken", func(_ context.Context, out io.Writer) error {
		ran = append(ran, "broken")
		fmt.Fprint(out, strings.Repeat("fine so far\n", 100)+"a wheel is gone\n")
		return errors.New("it broke")
	})
	counting := check{"counts", func(context.Context, io.Writer) (result, error) {
		ran = append(ran, "counts")
		return result{passed: 3, failed: 1}, nil
	}}

	var out strings.Builder
	got := runPhases(t.Context(), []phase{{lane{failing, passing}}, {lane{counting}}}, &out)

	if got.passed != 4 || got.failed != 2 {
		t.Errorf("%d passed and %d failed, want 4 and 2", got.passed, got.failed)
	}
	if !strings.HasPrefix(got.failures, "failed: broken\nit broke\n") || !strings.HasSuffix(got.failures, "\nfine so far\na wheel is gone\n") || len(got.failures) > 500 {
		t.Errorf("the failure is not told by its error and the end of the output:\n%s", got.failures)
	}
	if strings.Join(ran, " ") != "broken fine counts" {
		t.Errorf("a failure stopped the steps after it, or the order is wrong: %v", ran)
	}
	for _, line := range []string{"fine | half a line\n", "fine | the rest\n", "broken | it broke\n", "counts: FAILED, 3 passed, 1 failed"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is missing from:\n%s", line, out.String())
		}
	}
}

func TestTheTenSlowestTestsAreNamed(t *testing.T) {
	t.Parallel()
	var r result
	for i := range 12 {
		r = r.plus(result{passed: 1}.timed(fmt.Sprintf("test %d", i), float64(i)))
	}
	var out strings.Builder
	r.print(&out)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 11 || lines[0] != "slow  1:  11.0 s  test 11" || lines[9] != "slow 10:   2.0 s  test 2" || lines[10] != "12 passed, 0 failed" {
		t.Errorf("printed:\n%s", out.String())
	}
}

func TestTheEndOfTheLogSaysWhatFailed(t *testing.T) {
	t.Parallel()
	r := result{failed: 1}.withOutput("p TestA", "  got 1, want 2\n").plus(result{failed: 1}.withOutput("p TestB", strings.Repeat("é", 300)))
	var out strings.Builder
	r.print(&out)
	if want := "failed: p TestA\ngot 1, want 2\nfailed: p TestB\n" + strings.Repeat("é", 250) + " ...\n0 passed, 2 failed\n"; out.String() != want {
		t.Errorf("printed:\n%s", out.String())
	}
}

func TestRunRefusesWrongUse(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"everything"}, {"lint", "now"}, {"trace", "now"}} {
		if code := run(t.Context(), args, io.Discard, io.Discard); code != 2 {
			t.Errorf("%v: exit code %d, want 2", args, code)
		}
	}
}
