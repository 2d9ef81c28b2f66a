package main

import (
	"strings"
	"testing"
)

func TestTrace(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "docs/requirements.md", "# List\n\nZED-01 | one | look\nZED-02 | two | look\nYAM-01 | three | look\n")
	write(t, root, "a_test.go", `"ZED-01 holds", "ZED-01 still holds", "UTF-08"`)
	write(t, root, "e2e/a.spec.ts", `"YAM-01 holds", "ZED-09 does not exist"`)
	write(t, root, "b_test.go", "s := `a \"// quoted\"` // ZED-02 is only remarked on\n/* ZED-02, too */ it's := \"http://x ZED-01\"")
	write(t, root, "a.go", "// ZED-02 is named by no test")

	var out strings.Builder
	if code := printTrace(root, &out, &out); code != 1 {
		t.Errorf("exit code %d although a test names an unknown requirement", code)
	}
	for _, want := range []string{"ZED       1 of   2   no test: 02\n", "YAM       1 of   1\n", "a.spec.ts: ZED-09", "2 of 3 requirements"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing from:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "UTF") {
		t.Errorf("reports what only looks like an id:\n%s", out.String())
	}
}

func TestTraceRefusesDoubleIDs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "docs/requirements.md", "ZED-01 | one | look\nZED-01 | again | look\n")
	if _, err := readTrace(root); err == nil {
		t.Error("an id listed twice is accepted")
	}
}
