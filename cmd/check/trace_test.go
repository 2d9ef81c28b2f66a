package main

import (
	"strings"
	"testing"
)

func TestTrace(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "docs/requirements.md", "# List\n\nZED-01 | one | look\nZED-02 | two | look\nYAM-01 | three | look\n")
	write(t, root, "a_test.go", `package a; func TestA(t *testing.T) { t.Run("it holds, and still holds (ZED-01 UTF-08)", check) }`)
	write(t, root, "e2e/a.spec.ts", `test("it holds (YAM-01)", { annotation: { description: "ZED-09" } }, check)`)
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

func TestWhereAnIDCounts(t *testing.T) {
	t.Parallel()
	const inGo, inTypeScript = "a_test.go", "a.spec.ts"
	for _, tt := range []struct {
		name, file, text string
		counts           bool
	}{
		{"the name of a subtest", inGo, `t.Run("it holds (ZED-01)", check)`, true},
		{"a part of a name", inGo, `t.Run("it holds (ZED-01) "+where, check)`, true},
		{"a key of a table", inGo, `for name, want := range map[string]int{"it holds (ZED-01)": 1} { t.Run(name, check) }`, true},
		{"the first value of a row", inGo, `for _, tt := range []row{{"it holds (ZED-01)", 1}} { t.Run(tt.name, check) }`, true},
		{"the first value of a row with a key", inGo, `for _, tt := range map[int]row{1: {"it holds (ZED-01)", 1}} { t.Run(tt.name, check) }`, true},
		{"an element of a list", inGo, `for _, name := range []string{"it holds (ZED-01)"} { t.Run(name+" twice", check) }`, true},
		{"a failure message", inGo, `t.Errorf("ZED-01 it is %d", 1)`, false},
		{"a failure message in a subtest", inGo, `t.Run("it holds", func(t *testing.T) { t.Error("ZED-01 it does not") })`, false},
		{"a message for a helper", inGo, `same(t, "ZED-01 the bar", got)`, false},
		{"a row without a subtest", inGo, `for _, tt := range []row{{"ZED-01", 1}} { t.Error(tt.name) }`, false},
		{"a key that names no subtest", inGo, `for id, tt := range map[string]row{"ZED-01": {"it holds"}} { t.Run(tt.name, check) }`, false},
		{"a later value of a row", inGo, `for _, tt := range []row{{"it holds", "ZED-01"}} { t.Run(tt.name, check) }`, false},
		{"a comment", inGo, "t.Run(`it \"// holds`, check) // ZED-01 is only remarked on\n/* ZED-01, too */", false},

		{"a title", inTypeScript, `test("it holds (ZED-01)", check)`, true},
		{"a title on its own line", inTypeScript, "it.only(\n  'it holds (ZED-01)', check)", true},
		{"the title of a group", inTypeScript, `test.describe("it holds (ZED-01)", check)`, true},
		{"the title over a table", inTypeScript, `test.each([["a", 1]])("%s holds (ZED-01)", check)`, true},
		{"the first value of a row of each", inTypeScript, `test.each([["a", 1], ["it holds (ZED-01)", 2]])("%s", check)`, true},
		{"an annotation", inTypeScript, `test("it holds", { annotation: { type: "requirements", description: "ZED-01" } }, check)`, true},
		{"a message of expect", inTypeScript, `test("it holds", () => { expect(it, "ZED-01").toBe(true); })`, false},
		{"a list elsewhere", inTypeScript, `test.each([["a"]])("%s", () => { expect(it).toEqual(["ZED-01"]); })`, false},
		{"a comment in TypeScript", inTypeScript, `test("it holds at http://x", check) // ZED-01`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			write(t, root, "docs/requirements.md", "ZED-01 | one | look\n")
			if tt.file == inGo {
				tt.text = "package a\nfunc TestA(t *testing.T) {\n" + tt.text + "\n}\n"
			}
			write(t, root, tt.file, tt.text)
			trace, err := readTrace(root)
			if err != nil || (trace.named["ZED-01"] != nil) != tt.counts {
				t.Errorf("named in %q, %v", trace.named["ZED-01"], err)
			}
		})
	}
}

func TestTraceRefusesAnUnreadableTest(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "docs/requirements.md", "ZED-01 | one | look\n")
	write(t, root, "a_test.go", "func")
	if _, err := readTrace(root); err == nil {
		t.Error("a test that cannot be parsed is accepted")
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
