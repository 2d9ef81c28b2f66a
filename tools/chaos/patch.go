package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// patch replaces a piece of a source file, the anchor, which has to occur exactly once.
type patch struct{ file, anchor, text string }

// apply returns the source with the anchor replaced. It is an error if the source has changed and the anchor is gone, because a
// patch that no longer fits would prove nothing.
//
// With a mark, such as " // mutant: name", the anchor has to be on a line that ends with it; in a query on one with "/* mutant: name */",
// which sqlc keeps. A migration has no marks, since it never changes.
func (p patch) apply(source, mark string) (string, error) {
	if mark == "" || strings.HasSuffix(p.file, ".sql") {
		return p.replace(source)
	}
	inQuery := "/*" + strings.TrimPrefix(mark, " //") + " */"
	for line := range strings.Lines(source) {
		code, marked := strings.CutSuffix(line, mark+"\n")
		if strings.HasSuffix(p.file, ".sql.go") {
			code, marked = strings.TrimSuffix(line, "\n"), strings.Contains(line, inQuery)
		}
		if marked && strings.Contains(code, p.anchor) {
			changed, err := p.replace(code)
			return strings.Replace(source, line, changed+"\n", 1), err
		}
	}
	return "", fmt.Errorf("%s: no line with the anchor %q has the mark %q", p.file, p.anchor, mark)
}

func (p patch) replace(text string) (string, error) {
	if n := strings.Count(text, p.anchor); n != 1 {
		return "", fmt.Errorf("%s: the anchor %q is there %d times instead of once; fit the patch to the changed source", p.file, p.anchor, n)
	}
	return strings.Replace(text, p.anchor, p.text, 1), nil
}

// overlay writes the patched files, and added ones, to dir and returns the file for `go build -overlay`. The source
// itself is not changed. Paths are relative to root.
func overlay(root, dir, mark string, patches []patch, added map[string]string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	changed := map[string]string{}
	for _, p := range patches {
		source, seen := changed[p.file]
		if !seen {
			text, err := os.ReadFile(filepath.Join(root, p.file))
			if err != nil {
				return "", err
			}
			source = string(text)
		}
		if changed[p.file], err = p.apply(source, mark); err != nil {
			return "", err
		}
	}
	for file, text := range added {
		if _, err := os.Stat(filepath.Join(root, file)); err == nil {
			return "", fmt.Errorf("%s is there already", file)
		}
		changed[file] = text
	}
	return writeOverlay(root, dir, changed)
}

func writeOverlay(root, dir string, changed map[string]string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // PostgreSQL works beside it
		return "", err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for file, text := range changed {
		to := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, file)] = to
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}
