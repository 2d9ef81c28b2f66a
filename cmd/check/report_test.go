package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestReadReports(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		read   func([]byte) (result, error)
		report string
		want   result
	}{
		{
			"vitest: what did not pass failed, skipped tests too", readVitest,
			`{"testResults":[{"status":"failed","assertionResults":[{"status":"passed"},{"status":"failed","fullName":"adds","failureMessages":["3 is not 4"]},{"status":"skipped","fullName":"waits"}]},
			{"status":"passed","assertionResults":[{"status":"passed"}]}]}`,
			result{passed: 2, failed: 2, failures: "failed: adds\n3 is not 4\nfailed: waits\n"},
		},
		{
			"vitest: a file that cannot be loaded is one failure", readVitest,
			`{"testResults":[{"name":"a.test.ts","status":"failed","message":"no such module","assertionResults":[]}]}`,
			result{failed: 1, failures: "failed: a.test.ts\nno such module\n"},
		},
		{
			"Playwright: skipped tests, errors outside of tests and what passed at a second try failed", readPlaywright,
			`{"stats":{"expected":5,"unexpected":1,"flaky":1,"skipped":2},"errors":[{"message":"no server"}]}`,
			result{passed: 5, failed: 5, failures: "failed: playwright\nno server\n"},
		},
		{
			"Playwright: what a failed test said", readPlaywright,
			`{"stats":{"expected":1,"unexpected":1},"suites":[{"specs":[
			{"title":"pays","file":"a.spec.ts","tests":[{"projectName":"phone","status":"expected","results":[{}]}]},
			{"title":"waits","file":"a.spec.ts","tests":[{"projectName":"phone","status":"unexpected","results":[{"error":{"message":"no button"}}]}]}]}]}`,
			result{passed: 1, failed: 1, failures: "failed: a.spec.ts waits (phone)\nno button\n"},
		},
		{
			"vitest: how long a test took", readVitest,
			`{"testResults":[{"status":"passed","assertionResults":[{"status":"passed","fullName":"adds","duration":1500}]}]}`,
			result{passed: 1}.timed("adds", 1.5),
		},
		{
			"Playwright: how long the tests took, the slowest first", readPlaywright,
			`{"stats":{"expected":2},"suites":[
			{"specs":[{"title":"pays","file":"a.spec.ts","tests":[{"projectName":"phone","results":[{"duration":1500}]}]}],
			 "suites":[{"specs":[{"title":"waits","file":"a.spec.ts","tests":[{"projectName":"desktop","results":[{"duration":2500}]}]}]}]}]}`,
			result{passed: 2, slowest: [10]duration{{"a.spec.ts waits (desktop)", 2.5}, {"a.spec.ts pays (phone)", 1.5}}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := test.read([]byte(test.report))
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if _, err := test.read([]byte("{")); err == nil {
				t.Error("no error for a broken report")
			}
		})
	}
}

func TestAfterReport(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	crash := errors.New("exit status 1")
	reports := func(r result) func([]byte) (result, error) {
		return func([]byte) (result, error) { return r, nil }
	}
	tests := []struct {
		name    string
		path    string
		runErr  error
		counted result
		wantErr bool
	}{
		{"a runner's exit code is explained by a failed test", path, crash, result{passed: 1, failed: 1}, false},
		{"a runner that fails without a failed test is a failure", path, crash, result{passed: 1}, true},
		{"a runner that ran nothing is a failure", path, nil, result{}, true},
		{"a runner without a report is a failure", path + ".missing", nil, result{passed: 1}, true},
		{"all passed", path, nil, result{passed: 1}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := afterReport(test.runErr, test.path, reports(test.counted))
			if (err != nil) != test.wantErr {
				t.Errorf("error %v, want one: %t", err, test.wantErr)
			}
		})
	}
}
