package main

import (
	"strings"
	"testing"
)

func TestReadGoTest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		stream string
		want   result
		prints string
	}{
		{
			"a test counts once, a parent through its subtests",
			`{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"run","Package":"p","Test":"TestA/two"}
{"Action":"pass","Package":"p","Test":"TestA/one"}
{"Action":"pass","Package":"p","Test":"TestA/two"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p"}`,
			result{passed: 3}, "ok p (3 tests",
		},
		{
			"a failed subtest is one failure and shows its output",
			`{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"output","Package":"p","Test":"TestA/one","Output":"=== RUN   TestA/one\n"}
{"Action":"output","Package":"p","Test":"TestA/one","Output":"got 1, want 2\n"}
{"Action":"fail","Package":"p","Test":"TestA/one"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}`,
			result{failed: 1, failures: "failed: p TestA/one\ngot 1, want 2\n"}, "got 1, want 2",
		},
		{
			"a parent that fails by itself is a failure",
			`{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"pass","Package":"p","Test":"TestA/one"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}`,
			result{passed: 1, failed: 1, failures: "failed: p TestA\n"}, "p fail",
		},
		{
			"a skipped test is a failure",
			`{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}`,
			result{failed: 1, failures: "failed: p TestA\n"}, "p skip",
		},
		{
			"a package that does not build is one failure and shows why",
			`{"ImportPath":"p","Action":"build-output","Output":"p/a.go:1: syntax error\n"}
{"ImportPath":"p","Action":"build-fail"}
{"Action":"fail","Package":"p","FailedBuild":"p"}`,
			result{failed: 1, failures: "failed: p\n"}, "syntax error",
		},
		{
			"a package that ends outside of a test is one failure and shows its output",
			`{"Action":"output","Package":"p","Output":"panic in TestMain\n"}
{"Action":"fail","Package":"p"}`,
			result{failed: 1, failures: "failed: p\npanic in TestMain\n"}, "panic in TestMain",
		},
		{
			"how long a test took counts, but not for a parent",
			`{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"pass","Package":"p","Test":"TestA/one","Elapsed":1.5}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":1.5}
{"Action":"pass","Package":"p"}`,
			result{passed: 1}.timed("p TestA/one", 1.5), "ok p (1 tests",
		},
		{
			"a package without tests counts for nothing",
			`{"Action":"skip","Package":"p"}`,
			result{}, "",
		},
		{
			"lines of the go command are passed on",
			"go: downloading example.test/x v1.0.0",
			result{}, "go: downloading",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			got, err := readGoTest(strings.NewReader(test.stream), &out)
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if !strings.Contains(out.String(), test.prints) {
				t.Errorf("printed %q, which lacks %q", out.String(), test.prints)
			}
		})
	}
}
