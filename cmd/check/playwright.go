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
// a test. One that passed at its second try counts as passed; Playwright names it at the end.
func readPlaywright(text []byte) (result, error) {
	var report struct {
		Stats  struct{ Expected, Unexpected, Flaky, Skipped int }
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return result{}, fmt.Errorf("the report of Playwright: %w", err)
	}
	s := report.Stats
	return result{passed: s.Expected + s.Flaky, failed: s.Unexpected + s.Skipped + len(report.Errors)}, nil
}
