package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPackagesThatStartGoroutinesRunUnderTheRaceDetector(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	starts, tested := map[string]bool{}, map[string]bool{}
	isGo := func(path string) bool { return filepath.Ext(path) == ".go" }
	err := eachFile(root, isGo, func(path string, text []byte) {
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(folder, "tools"+string(filepath.Separator)): // not part of the program
		case slices.Contains([]string{"cmd/assets", "cmd/check"}, filepath.ToSlash(folder)): // nor are these
		case strings.HasSuffix(path, "_test.go"):
			tested[filepath.ToSlash(folder)] = true
		case startsGoroutine(t, string(text)):
			starts[filepath.ToSlash(folder)] = true
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(starts, func(folder string, _ bool) bool { return !tested[folder] })
	if want := slices.Sorted(maps.Keys(starts)); !slices.Equal(raced, want) {
		t.Errorf("packages with tests that start goroutines:\n%s\nraced in race.go:\n%s", strings.Join(want, "\n"), strings.Join(raced, "\n"))
	}
}

// startsGoroutine reports whether a file has a go statement or calls a group's Go.
func startsGoroutine(t *testing.T, source string) (found bool) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.CallExpr:
			if called, ok := n.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Go" {
				found = true
			}
		}
		return !found
	})
	return found
}

func TestStartsGoroutine(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		"go f()":                                 true,
		"if x { group.Go(f) }":                   true,
		"s.work.Go(func() error { return nil })": true,
		"x.Goal(); Go()":                         false,
		"/* go f() */ s := `go f()`; _ = s":      false,
	} {
		if got := startsGoroutine(t, "package p\nfunc _() { "+body+" }"); got != want {
			t.Errorf("%s: %t, want %t", body, got, want)
		}
	}
}

func TestByRace(t *testing.T) {
	t.Parallel()
	with, without, err := byRace(t.Context(), ".", "../../internal/live", "../forecourt")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(with, []string{"forecourt/internal/live"}) || !slices.Equal(without, []string{"forecourt/cmd/check"}) {
		t.Errorf("with %v, without %v", with, without)
	}
}
