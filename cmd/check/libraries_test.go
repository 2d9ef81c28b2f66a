package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// required matches a line of go.mod, and listed a line of the list.
var (
	required = regexp.MustCompile(`(?m)^\s(?:require )?(\S+\.\S+/\S+|go\.\S+) v\S+$`)
	listed   = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\|$")
)

// licences lists those under which we may ship or use a library without asking anybody.
var licences = []string{"MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0", "MPL-2.0", "MIT or Apache-2.0"}

func TestEveryDependencyIsListedWithReasonAndLicence(t *testing.T) {
	t.Parallel()
	root := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	used := map[string]bool{}
	for _, line := range required.FindAllStringSubmatch(root("go.mod"), -1) { // an indirect dependency has a comment after it
		used[line[1]] = true
	}
	var file struct{ Dependencies, DevDependencies, OptionalDependencies map[string]string }
	if err := json.Unmarshal([]byte(root("package.json")), &file); err != nil {
		t.Fatal(err)
	}
	for _, group := range []map[string]string{file.Dependencies, file.DevDependencies, file.OptionalDependencies} {
		for name := range group {
			used[name] = true
		}
	}
	if len(used) < 50 {
		t.Fatalf("%d dependencies", len(used))
	}
	known := map[string]bool{}
	for _, line := range listed.FindAllStringSubmatch(root("docs/decisions/0006-libraries.md"), -1) {
		name, reason, licence := line[1], strings.TrimSpace(line[2]), strings.TrimSpace(line[3])
		if known[name] {
			t.Errorf("%s is listed twice", name)
		}
		known[name] = true
		if len(reason) < 5 || !slices.Contains(licences, licence) {
			t.Errorf("%s is listed for %q under %q", name, reason, licence)
		}
		if !used[name] {
			t.Errorf("%s is listed but not used", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if !known[name] {
			t.Errorf("docs/decisions/0006-libraries.md does not say what %s is for, and under which licence", name)
		}
	}
}

func TestEveryFuzzTargetIsNamed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, folder := range []string{"bridge", "cmd", "db", "handlers", "internal"} { // as in the Makefile
		err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			for _, target := range regexp.MustCompile(`(?m)^func (Fuzz\w+)`).FindAllSubmatch(source, -1) {
				there[string(target[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range regexp.MustCompile("`(Fuzz\\w+)`").FindAllSubmatch(text, -1) {
		if !there[string(name[1])] {
			t.Errorf("docs/security.md names %s, which does not exist", name[1])
		}
	}
	for name := range there {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/security.md does not name %s", name)
		}
	}
}
