package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
)

func playwright(ctx context.Context, out io.Writer) (result, error) {
	return withReport(func(path string) (result, error) {
		cmd := start(ctx, out, "node_modules/.bin/playwright", "test", "--reporter=list,json")
		cmd.Env = append(cmd.Environ(), "PLAYWRIGHT_JSON_OUTPUT_FILE="+path, "NO_COLOR=1", "FORCE_COLOR=0", "CI=1")
		return afterReport(cmd.Run(), path, readPlaywright)
	})
}

// readPlaywright counts the tests of Playwright's JSON report. Skipped tests count as failed, and so does each error outside of
// a test.
func readPlaywright(text []byte) (result, error) {
	var report struct {
		Stats  struct{ Expected, Unexpected, Flaky, Skipped int }
		Errors []struct{ Message string }
		Suites []suite
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return result{}, fmt.Errorf("the report of Playwright: %w", err)
	}
	var r result
	for _, e := range report.Errors {
		r = r.withOutput("playwright", e.Message)
	}
	for _, s := range report.Suites {
		r = r.plus(s.times())
	}
	s := report.Stats
	return r.plus(result{passed: s.Expected, failed: s.Flaky + s.Unexpected + s.Skipped + len(report.Errors)}), nil
}

// suite is a file of browser tests, or a group in it.
type suite struct {
	Suites []suite
	Specs  []struct {
		Title, File string
		Tests       []struct {
			ProjectName string
			Status      string // "expected" if all is well
			Results     []struct {
				Duration float64 // milliseconds
				Error    struct{ Message string }
			}
		}
	}
}

// times returns how long the tests took and what the failed ones printed, without counting them.
func (s suite) times() result {
	var r result
	for _, inner := range s.Suites {
		r = r.plus(inner.times())
	}
	for _, spec := range s.Specs {
		for _, test := range spec.Tests {
			for _, run := range test.Results {
				one := result{}.timed(spec.File+" "+spec.Title+" ("+test.ProjectName+")", run.Duration/1000)
				if test.Status != "" && test.Status != "expected" {
					one = one.withOutput(one.slowest[0].test, run.Error.Message)
				}
				r = r.plus(one)
			}
		}
	}
	return r
}
