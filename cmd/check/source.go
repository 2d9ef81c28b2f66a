package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// gofmt fails for Go files that are not formatted.
func gofmt(ctx context.Context, _ io.Writer) error {
	var list, problems bytes.Buffer
	cmd := start(ctx, &list, "gofmt", "-l", "app", "bridge", "cmd", "db", "deploy", "handlers", "internal", "letters", "static", "tools", "views")
	cmd.Stderr = &problems
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(problems.String()))
	}
	if list.Len() > 0 {
		return fmt.Errorf("not formatted:\n%s", strings.TrimSpace(list.String()))
	}
	return nil
}

// golangci runs the linters over all modules at once, so that they read shared packages once.
func golangci(ctx context.Context, out io.Writer) error {
	workspace, err := filepath.Abs("tools/lint/all.work")
	if err != nil {
		return err
	}
	cmd := start(ctx, out, ".tools/golangci-lint", "run", "./...", "./tools/chaos/...")
	cmd.Env = append(cmd.Environ(), "GOWORK="+workspace)
	return cmd.Run()
}

// pins fails if a version is not pinned, or if go.mod does not match the imports.
func pins(ctx context.Context, out io.Writer) error {
	text, err := os.ReadFile("package.json")
	if err != nil {
		return err
	}
	loose, err := looseVersions(text)
	if err != nil {
		return err
	}
	if len(loose) > 0 {
		return fmt.Errorf("package.json: not an exact version: %s", strings.Join(loose, ", "))
	}
	if err := start(ctx, out, "go", "mod", "tidy", "-diff").Run(); err != nil {
		return errors.New("go.mod or go.sum is not tidy")
	}
	return nil
}

var exactVersion = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// looseVersions lists, as name@version, the npm packages whose version is a range.
func looseVersions(packageJSON []byte) ([]string, error) {
	var file struct {
		Dependencies, DevDependencies, OptionalDependencies map[string]string
	}
	if err := json.Unmarshal(packageJSON, &file); err != nil {
		return nil, fmt.Errorf("package.json: %w", err)
	}
	var loose []string
	for _, group := range []map[string]string{file.Dependencies, file.DevDependencies, file.OptionalDependencies} {
		for name, version := range group {
			if !exactVersion.MatchString(version) {
				loose = append(loose, name+"@"+version)
			}
		}
	}
	slices.Sort(loose)
	return loose, nil
}
