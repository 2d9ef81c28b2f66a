package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const requirementsFile = "docs/requirements.md"

var (
	rowID  = regexp.MustCompile(`(?m)^([A-Z]+-[0-9]+) \|`)
	testID = regexp.MustCompile(`\b[A-Z]{2,8}-[0-9]{2}\b`)
	// strung matches a string in Go or TypeScript: the name of a test, or its failure message.
	strung = regexp.MustCompile("(?s)\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`")
	// code matches a string, which may contain what looks like a comment, or a comment.
	code = regexp.MustCompile(strung.String() + `|(?s:/\*.*?\*/)|//[^\n]*`)
)

// tracing records which requirements tests name, in their own names or in failure messages. Comments do not count.
type tracing struct {
	ids     []string            // in the order of the list
	named   map[string][]string // by id, the test files that name it
	unknown []string            // "file: ID" for ids of a known area that are not on the list
}

// printTrace prints the state per area and returns the exit code.
func printTrace(root string, stdout, stderr io.Writer) int {
	t, err := readTrace(root)
	if err != nil {
		fmt.Fprintln(stderr, "trace:", err)
		return 1
	}
	t.print(stdout)
	if len(t.unknown) > 0 {
		return 1
	}
	return 0
}

// traceIDs fails if a test names a requirement that does not exist.
func traceIDs(_ context.Context, out io.Writer) error {
	t, err := readTrace(".")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d of %d requirements are named by a test\n", len(t.named), len(t.ids))
	if len(t.unknown) > 0 {
		return fmt.Errorf("no such requirement:\n%s", strings.Join(t.unknown, "\n"))
	}
	return nil
}

func readTrace(root string) (tracing, error) {
	list, err := os.ReadFile(filepath.Join(root, requirementsFile))
	if err != nil {
		return tracing{}, err
	}
	t := tracing{named: map[string][]string{}}
	areas := map[string]bool{}
	for _, row := range rowID.FindAllStringSubmatch(string(list), -1) {
		if slices.Contains(t.ids, row[1]) {
			return tracing{}, fmt.Errorf("%s lists %s twice", requirementsFile, row[1])
		}
		t.ids = append(t.ids, row[1])
		areas[area(row[1])] = true
	}
	if len(t.ids) == 0 {
		return tracing{}, errors.New(requirementsFile + " lists nothing")
	}
	err = eachFile(root, isTest, func(path string, text []byte) { t.read(path, string(text), areas) })
	return t, err
}

func isTest(path string) bool {
	for _, suffix := range []string{"_test.go", ".test.ts", ".test.tsx", ".spec.ts"} {
		if strings.HasSuffix(path, suffix) {
			return true
		}
	}
	return false
}

func (t *tracing) read(path, text string, areas map[string]bool) {
	found := testID.FindAllString(strings.Join(strung.FindAllString(uncommented(text), -1), "\n"), -1)
	slices.Sort(found)
	for _, id := range slices.Compact(found) {
		switch {
		case slices.Contains(t.ids, id):
			t.named[id] = append(t.named[id], path)
		case areas[area(id)]:
			t.unknown = append(t.unknown, path+": "+id)
		}
	}
}

// uncommented removes the comments from a source.
func uncommented(source string) string {
	return code.ReplaceAllStringFunc(source, func(part string) string {
		if strings.HasPrefix(part, "/") {
			return ""
		}
		return part
	})
}

func (t tracing) print(out io.Writer) {
	var areas []string
	for _, id := range t.ids {
		if !slices.Contains(areas, area(id)) {
			areas = append(areas, area(id))
		}
	}
	for _, name := range areas {
		var all int
		var missing []string
		for _, id := range t.ids {
			if area(id) != name {
				continue
			}
			all++
			if t.named[id] == nil {
				missing = append(missing, strings.TrimPrefix(id, name+"-"))
			}
		}
		fmt.Fprintf(out, "%-7s %3d of %3d", name, all-len(missing), all)
		if len(missing) > 0 {
			fmt.Fprintf(out, "   no test: %s", strings.Join(missing, " "))
		}
		fmt.Fprintln(out)
	}
	for _, line := range t.unknown {
		fmt.Fprintln(out, "no such requirement:", line)
	}
	fmt.Fprintf(out, "%d of %d requirements are named by a test\n", len(t.named), len(t.ids))
}

func area(id string) string {
	name, _, _ := strings.Cut(id, "-")
	return name
}
