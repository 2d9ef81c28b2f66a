package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// generated regenerates all generated code. It fails if that changes a file, if a file has lost its source, or if git does not track a
// file.
func generated(ctx context.Context, out io.Writer) error {
	before, err := generatedFiles(".")
	if err != nil {
		return err
	}
	if err := start(ctx, out, "make", "generate").Run(); err != nil {
		return fmt.Errorf("make generate: %w", err)
	}
	after, err := generatedFiles(".")
	if err != nil {
		return err
	}
	problems := differences(before, after)
	problems = append(problems, orphans(after)...)
	unknown, err := untracked(ctx, after)
	if err != nil {
		return err
	}
	problems = append(problems, unknown...)
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, "\n") + "\nrun make generate and commit what it writes")
}

type fileSums map[string][sha256.Size]byte

// generatedFiles finds the files below root that generators write: generated code, by its names or by the line that marks generated Go, and
// the documentation, of which they write parts.
func generatedFiles(root string) (fileSums, error) {
	sums := fileSums{}
	document := func(path string) bool { return filepath.Ext(path) == ".md" || filepath.Base(path) == ".env.example" }
	mayBe := func(path string) bool {
		return filepath.Ext(path) == ".go" || strings.HasSuffix(path, ".gen.ts") || document(path)
	}
	err := eachFile(root, mayBe, func(path string, text []byte) {
		if strings.HasSuffix(path, ".gen.ts") || document(path) || bytes.HasPrefix(text, []byte("// Code generated ")) {
			sums[filepath.ToSlash(path)] = sha256.Sum256(text)
		}
	})
	return sums, err
}

// eachFile reads the wanted files below root. It leaves out libraries and hidden folders.
func eachFile(root string, wanted func(path string) bool, read func(path string, text []byte)) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); path != root && (name == "node_modules" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !wanted(path) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read(path, text)
		return nil
	})
}

func differences(before, after fileSums) []string {
	var problems []string
	for path, sum := range after {
		if old, ok := before[path]; !ok {
			problems = append(problems, path+" was missing")
		} else if old != sum {
			problems = append(problems, path+" was out of date")
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			problems = append(problems, path+" has no source any more")
		}
	}
	slices.Sort(problems)
	return problems
}

// orphans lists query files whose SQL is gone. sqlc does not delete them.
func orphans(files fileSums) []string {
	var problems []string
	for path := range files {
		name, ok := strings.CutSuffix(path, ".sql.go")
		if !ok {
			continue
		}
		source := filepath.Join(filepath.Dir(name), "queries", filepath.Base(name)+".sql")
		if _, err := os.Stat(source); errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, path+" has no source any more")
		}
	}
	slices.Sort(problems)
	return problems
}

// untracked lists the files that git does not track, or none outside a repository.
func untracked(ctx context.Context, files fileSums) ([]string, error) {
	if _, err := os.Stat(".git"); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	args := []string{"-c", "safe.directory=*", "ls-files", "--others", "--"}
	for path := range files {
		args = append(args, path)
	}
	var list bytes.Buffer
	cmd := start(ctx, &list, "git", args...)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git ls-files: %w: %s", err, list.String())
	}
	var problems []string
	for line := range strings.Lines(list.String()) {
		problems = append(problems, strings.TrimSpace(line)+" is not in git")
	}
	return problems, nil
}
