package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named matches "`UnpaidFor`, `MaxQty` in `internal/order`": names, and the file or folder that declares them.
var named = regexp.MustCompile("((?:`\\w+`(?:, | … | ))+)in `([a-z_/.]+)`")

func TestNumbersAreWhereTheReadmeSays(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "\n| number | is |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := named.FindAllStringSubmatch(table, -1)
	if len(rows) < 15 {
		t.Errorf("the table of numbers names %d places, want at least 15", len(rows))
	}
	for _, row := range rows {
		text := sources(t, filepath.Join("../..", row[2]))
		for _, name := range regexp.MustCompile(`\w+`).FindAllString(row[1], -1) {
			if !regexp.MustCompile(`\b` + name + `\b`).MatchString(text) {
				t.Errorf("the README says that %s is in %s", name, row[2])
			}
		}
	}
}

// sources returns the text of a file, or of a folder's Go files except its tests.
func sources(t *testing.T, path string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(path, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		files = []string{path}
	}
	var all strings.Builder
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
