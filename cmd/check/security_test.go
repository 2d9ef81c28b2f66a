package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// quoted matches a word that security.md has in backquotes, and the word "in" before it, if any.
	quoted   = regexp.MustCompile("( in )?`([^`]+)`")
	testName = regexp.MustCompile(`^(?:Test|Fuzz)\w+$`)
	testFile = regexp.MustCompile(`^[\w.-]+(?:/[\w.-]+)+$`)
	goTests  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// TestSecurityNamesTestsThatExist reads docs/security.md. Each promise has to name its proof, each test has to be in the file named
// for it, each file has to exist, and every test of the attack suite has to be named.
func TestSecurityNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	inTable := false
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		switch {
		case !strings.HasPrefix(line, "|"):
			inTable = false
			continue
		case strings.Contains(line, "shown by"):
			inTable = true
			continue
		case !inTable || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| |---"):
			continue
		}
		shown := 0
		var waiting []string // tests whose file comes after them
		for _, found := range quoted.FindAllStringSubmatch(cells[len(cells)-1], -1) {
			switch name := found[2]; {
			case testName.MatchString(name):
				waiting = append(waiting, name)
			case testFile.MatchString(name):
				shown++
				source, err := os.ReadFile(filepath.Join(root, name))
				if _, missing := os.Stat(filepath.Join(root, name)); missing != nil {
					t.Errorf("%s is named but does not exist", name)
				}
				if found[1] == "" {
					continue // a file is named without a test
				}
				for _, test := range waiting {
					if err != nil || !strings.Contains(string(source), "func "+test+"(") {
						t.Errorf("%s is not in %s", test, name)
					}
				}
				waiting = nil
			case strings.HasPrefix(name, "make "), strings.HasPrefix(name, "go run "):
				shown++
			}
		}
		if len(waiting) > 0 && shown == 0 || shown == 0 && !strings.Contains(cells[len(cells)-1], "](") {
			t.Errorf("no proof for: %s", line)
		}
	}
	for _, pattern := range []string{"handlers/hostile_*_test.go", "handlers/doors_test.go", "handlers/rebinding_test.go", "handlers/verify_test.go", "handlers/who_test.go", "cmd/forecourt/doors_test.go", "cmd/forecourt/https_test.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, test := range goTests.FindAllStringSubmatch(string(source), -1) {
				if !strings.Contains(string(text), "`"+test[1]+"`") {
					t.Errorf("docs/security.md does not name %s of %s", test[1], file)
				}
			}
		}
	}
}
