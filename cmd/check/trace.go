package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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
	// strung matches a string in Go or TypeScript.
	strung = regexp.MustCompile("(?s)\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`")
	// code matches a string, which may contain what looks like a comment, or a comment.
	code = regexp.MustCompile(strung.String() + `|(?s:/\*.*?\*/)|//[^\n]*`)
	// titled matches what stands before a title or an annotation in TypeScript; .each(table) stands before the second parenthesis.
	titled = regexp.MustCompile(`(?:\b(?:test|it|describe)(?:\.\w+)?\(|\)\(|\bdescription:)$`)
)

// tracing records which requirements tests name. In Go an id counts in the first argument of t.Run. If that uses the variable of a loop over
// a table, it counts in the keys, the first values of the rows, or the elements that the variable goes through. In TypeScript an id counts
// in a title, in the first value of a row of .each, and in the description of an annotation. Failure messages and comments do not count.
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
	var unread error
	err = eachFile(root, isTest, func(path string, text []byte) { unread = errors.Join(unread, t.read(path, string(text), areas)) })
	return t, errors.Join(err, unread)
}

func isTest(path string) bool {
	for _, suffix := range []string{"_test.go", ".test.ts", ".test.tsx", ".spec.ts"} {
		if strings.HasSuffix(path, suffix) {
			return true
		}
	}
	return false
}

func (t *tracing) read(path, source string, areas map[string]bool) (err error) {
	text := uncommented(source)
	names := titles(text)
	if strings.HasSuffix(path, ".go") {
		names, err = subtests(path, source)
	}
	for _, id := range idsIn(names) {
		if slices.Contains(t.ids, id) {
			t.named[id] = append(t.named[id], path)
		}
	}
	for _, id := range idsIn(strung.FindAllString(text, -1)) {
		if areas[area(id)] && !slices.Contains(t.ids, id) {
			t.unknown = append(t.unknown, path+": "+id)
		}
	}
	return err
}

// idsIn returns the ids in some texts, each once.
func idsIn(texts []string) []string {
	found := testID.FindAllString(strings.Join(texts, "\n"), -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// subtests returns the strings of a Go source that make up names of subtests.
func subtests(path, source string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	ast.PreorderStack(file, nil, func(n ast.Node, outer []ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		if run, ok := call.Fun.(*ast.SelectorExpr); !ok || run.Sel.Name != "Run" || !isNamed(run.X, "t") {
			return true
		}
		names = append(names, stringsIn(call.Args[0])...)
		for _, node := range outer {
			if loop, ok := node.(*ast.RangeStmt); ok {
				names = append(names, rowNames(loop, call.Args[0])...)
			}
		}
		return true
	})
	return names, nil
}

// rowNames returns the strings of a loop's table that the name of a subtest takes from the loop's variables.
func rowNames(loop *ast.RangeStmt, name ast.Expr) []string {
	table, ok := loop.X.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var names []string
	for _, row := range table.Elts {
		var key ast.Expr
		if pair, ok := row.(*ast.KeyValueExpr); ok {
			key, row = pair.Key, pair.Value
		}
		if fields, ok := row.(*ast.CompositeLit); ok && len(fields.Elts) > 0 {
			row = fields.Elts[0]
		}
		ast.Inspect(name, func(n ast.Node) bool {
			variable, ok := n.(*ast.Ident)
			switch {
			case !ok:
			case key != nil && isNamed(loop.Key, variable.Name):
				names = append(names, stringsIn(key)...)
			case isNamed(loop.Value, variable.Name):
				names = append(names, stringsIn(row)...)
			}
			return true
		})
	}
	return names
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// stringsIn returns the strings in an expression.
func stringsIn(e ast.Expr) []string {
	var found []string
	ast.Inspect(e, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			found = append(found, literal.Value)
		}
		return true
	})
	return found
}

// titles returns the strings of a TypeScript source that are titles of tests, first values of rows of .each, or annotations.
func titles(source string) []string {
	var found []string
	for _, at := range strung.FindAllStringIndex(source, -1) {
		before := strings.TrimSpace(source[:at[0]])
		row := strings.HasSuffix(before, "[") && strings.LastIndex(before, ".each(") > strings.LastIndex(before, ")(")
		if row || titled.MatchString(before[max(0, len(before)-40):]) {
			found = append(found, source[at[0]:at[1]])
		}
	}
	return found
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
