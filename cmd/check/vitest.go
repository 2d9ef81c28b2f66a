package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func vitest(ctx context.Context, out io.Writer) (result, error) {
	return withReport(func(path string) (result, error) {
		cmd := start(ctx, out, "node_modules/.bin/vitest", "run",
			"--reporter=default", "--reporter=json", "--outputFile.json="+path)
		cmd.Env = append(cmd.Environ(), "NO_COLOR=1", "CI=1")
		return afterReport(cmd.Run(), path, readVitest)
	})
}

// readVitest counts the tests of vitest's JSON report. Every test that did not pass counts as failed, and so does a file whose tests could
// not be collected.
func readVitest(text []byte) (result, error) {
	var report struct {
		TestResults []struct {
			Name             string
			Status           string
			Message          string
			AssertionResults []struct {
				FullName, Status string
				FailureMessages  []string
				Duration         float64 // milliseconds
			}
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return result{}, fmt.Errorf("the report of vitest: %w", err)
	}
	var r result
	for _, file := range report.TestResults {
		inFile := result{}
		for _, test := range file.AssertionResults {
			one := result{failed: 1}.withOutput(test.FullName, strings.Join(test.FailureMessages, "\n"))
			if test.Status == "passed" {
				one = result{passed: 1}
			}
			inFile = inFile.plus(one.timed(test.FullName, test.Duration/1000))
		}
		if file.Status != "passed" && inFile.failed == 0 {
			inFile.failed++
			inFile = inFile.withOutput(file.Name, file.Message)
		}
		r = r.plus(inFile)
	}
	return r, nil
}

// withReport passes a path for a runner's report and removes the file afterwards.
func withReport(run func(path string) (result, error)) (result, error) {
	dir, err := os.MkdirTemp("", "forecourt-check-")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(dir)
	return run(filepath.Join(dir, "report.json"))
}

// afterReport counts what a runner's report lists. The runner's own error only matters if the report does not
// account for it.
func afterReport(runErr error, path string, read func([]byte) (result, error)) (result, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		if runErr != nil {
			return result{}, runErr
		}
		return result{}, fmt.Errorf("no report: %w", err)
	}
	r, err := read(text)
	if err != nil {
		return r, err
	}
	if r.failed == 0 {
		if runErr != nil {
			return r, runErr
		}
		if r.passed == 0 {
			return r, fmt.Errorf("no test ran")
		}
	}
	return r, nil
}
