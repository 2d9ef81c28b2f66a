package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAPatchFitsOnceOrFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, mark, source, want, problem string }{
		{"it is there once", "f.go", "", "a := one()\n", "a := two()\n", ""},
		{"it is gone", "f.go", "", "a := three()\n", "", "0 times"},
		{"it is there twice", "f.go", "", "one(); one()\n", "", "2 times"},
		{"it is on the marked line", "f.go", " // m", "one()\none() // m\n", "one()\ntwo()\n", ""},
		{"it is on another line", "f.go", " // m", "one()\nthree() // m\n", "", "no line"},
		{"it is there twice on the marked line", "f.go", " // m", "one() + one() // m\n", "", "2 times"},
		{"it is on the marked line of a query", "f.sql.go", " // m", "one()\none() /* m */,\n", "one()\ntwo() /* m */,\n", ""},
		{"it is on another line of a query", "f.sql.go", " // m", "one()\nthree() /* m */\n", "", "no line"},
		{"it is in a migration", "f.sql", " // m", "one();\n", "two();\n", ""},
	} {
		got, err := patch{tt.file, "one()", "two()"}.apply(tt.source, tt.mark)
		if tt.problem == "" && (err != nil || got != tt.want) {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
		if tt.problem != "" && (err == nil || !strings.Contains(err.Error(), tt.problem)) {
			t.Errorf("%s: %v, want an error with %q", tt.name, err, tt.problem)
		}
	}
}

func TestAnOverlayDoesNotChangeTheSource(t *testing.T) {
	t.Parallel()
	root, dir := t.TempDir(), t.TempDir()
	source := filepath.Join(root, "f.go")
	if err := os.WriteFile(source, []byte("one two"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := overlay(root, dir, "", []patch{{"f.go", "one", "1"}, {"f.go", "two", "2"}}, map[string]string{"g.go": "new"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	var replaced struct{ Replace map[string]string }
	if err != nil || json.Unmarshal(text, &replaced) != nil {
		t.Fatalf("%s, %v", text, err)
	}
	for path, want := range map[string]string{source: "1 2", filepath.Join(root, "g.go"): "new"} {
		if got, err := os.ReadFile(replaced.Replace[path]); err != nil || string(got) != want {
			t.Errorf("%s is replaced by %q, %v", path, got, err)
		}
	}
	if kept, err := os.ReadFile(source); err != nil || string(kept) != "one two" {
		t.Errorf("the source became %q, %v", kept, err)
	}
	if _, err := overlay(root, dir, "", nil, map[string]string{"f.go": "x"}); err == nil {
		t.Error("an added file replaced an existing one")
	}
}

func TestEveryAnchorIsInTheSource(t *testing.T) {
	t.Parallel()
	if _, err := overlay("../..", t.TempDir(), "", crashPatches(), nil); err != nil {
		t.Errorf("crash matrix: %v", err)
	}
	for _, m := range allMutants() {
		if _, err := overlay("../..", t.TempDir(), m.mark(), m.patches, nil); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
	for _, r := range accountRules() {
		if _, err := overlay("../..", t.TempDir(), r.mark(), r.patches, nil); err != nil {
			t.Errorf("%s: %v", r.name, err)
		}
	}
}

func TestEveryMutantAndPointHasItsPlace(t *testing.T) {
	t.Parallel()
	known := map[string]bool{restored: true, "limits": true, "baskets": true, "disputes": true}
	for _, p := range append(append(judge(books{}, nil), judgeRefunds(books{}, nil)...), judgeEvents(books{})) {
		known[p.name] = true
	}
	for _, m := range allMutants() {
		if !known[m.breaks] {
			t.Errorf("%s names the unknown promise %q", m.name, m.breaks)
		}
	}
	var text strings.Builder
	for _, file := range crashFiles() {
		text.WriteString(file)
	}
	for _, p := range crashPatches() {
		text.WriteString(p.text)
	}
	for _, point := range importDeaths() {
		if !strings.Contains(text.String(), `dieAt("`+point+`")`) {
			t.Errorf("no import dies at %q", point)
		}
	}
	for _, e := range errands() {
		if !strings.Contains(text.String(), `dieAt("`+e.name+`")`) {
			t.Errorf("no command dies at %q", e.name)
		}
	}
	for _, p := range crashPoints() {
		if !strings.Contains(text.String(), `dieAt("`+p.name+`")`) {
			t.Errorf("nothing dies at %q", p.name)
		}
	}
}
