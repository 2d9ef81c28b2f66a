package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// named matches "`UnpaidFor`, `MaxQty` in `internal/order`": names, and the file or folder that has them.
	named = regexp.MustCompile("((?:`[\\w.-]+`(?:, | and | … | ))+)in `([\\w/.-]+)`")
	// placed matches a file.
	placed = regexp.MustCompile("`((?:[\\w.-]+/)+[\\w-]+(?:\\.[\\w-]+)*\\.[a-z]+)`")
)

// TestTheIndexNamesWhatExists checks each row of docs/where.md, and the paths that the README names.
func TestTheIndexNamesWhatExists(t *testing.T) {
	t.Parallel()
	index := readText(t, "../../docs/where.md")
	rows := named.FindAllStringSubmatch(index, -1)
	if len(rows) < 250 {
		t.Errorf("the index names %d places, want at least 250", len(rows))
	}
	for _, row := range rows {
		text := sources(t, filepath.Join("../..", row[2]))
		for _, name := range regexp.MustCompile(`\w+`).FindAllString(row[1], -1) {
			if !regexp.MustCompile(`\b` + name + `\b`).MatchString(text) {
				t.Errorf("%s is not in %s", name, row[2])
			}
		}
	}
	for _, file := range placed.FindAllStringSubmatch(index+readText(t, "../../README.md"), -1) {
		if _, err := os.Stat(filepath.Join("../..", file[1])); err != nil {
			t.Errorf("there is no %s", file[1])
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sources returns the text of a file, or of a folder's files except its tests.
func sources(t *testing.T, path string) string {
	t.Helper()
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return readText(t, path)
	}
	var all strings.Builder
	files, err := fs.Glob(os.DirFS(path), "*.*")
	if err != nil || len(files) == 0 {
		t.Errorf("%s has no files: %v", path, err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			all.WriteString(readText(t, filepath.Join(path, file)))
		}
	}
	return all.String()
}
