package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// overlay applies a patch to copies of the files that it changes, in dir, and returns the flags with which `go build` and `go test`
// use them. The source itself is not changed. It is an error if the patch does not apply: one that no longer fits would prove nothing.
func overlay(ctx context.Context, root, dir, patch string) ([]string, error) {
	root, rootErr := filepath.Abs(root)
	dir, dirErr := filepath.Abs(dir)
	patch, err := filepath.Abs(patch)
	if err := errors.Join(err, rootErr, dirErr, makeFolder(dir)); err != nil {
		return nil, err
	}
	stat, err := apply(ctx, dir, "--numstat", patch)
	if err != nil {
		return nil, err
	}
	replace := map[string]string{}
	for line := range strings.Lines(stat) {
		name := strings.Fields(line)[2] // after the lines that are added and removed
		replace[filepath.Join(root, name)] = filepath.Join(dir, name)
		if err := copyFile(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	if _, err := apply(ctx, dir, patch); err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "overlay.json")
	return []string{"-overlay", file}, os.WriteFile(file, text, 0o600)
}

// apply runs git apply in a folder that is in no repository.
func apply(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"apply"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s does not apply; fit it to the changed source: %s", args[len(args)-1], out)
	}
	return string(out), nil
}

// copyFile copies a file that a patch changes. One that is missing is new.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, makeFolder(filepath.Dir(to)), os.WriteFile(to, text, 0o600)) //nolint:gosec // our own patch names it
}
