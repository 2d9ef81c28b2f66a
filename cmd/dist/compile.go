package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// packed is the archive of the PostgreSQL that the program embeds.
const packed = "db/embedded/dist/postgres.tar.zst"

// compile builds the program for a kind of machine, with that machine's PostgreSQL inside. An overlay replaces the archive that a build for
// this machine embeds.
func compile(ctx context.Context, machine, version, out string) error {
	archive, err := postgresFor(ctx, machine)
	if err != nil {
		return err
	}
	here, err := filepath.Abs(packed)
	if err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {here: archive}})
	if err != nil {
		return err
	}
	list, err := os.CreateTemp("", "forecourt-overlay-*.json")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(list.Name()) }()
	if _, err := list.Write(overlay); err != nil {
		return errors.Join(err, list.Close())
	}
	if err := list.Close(); err != nil {
		return err
	}
	// The program records neither where nor when it was built.
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-overlay", list.Name(),
		"-ldflags", "-s -w -buildid= -X main.version="+version, "-o", out, "./cmd/forecourt")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+machine, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	build.Stderr = os.Stderr
	return build.Run()
}

// rebuild builds everything from a copy of the sources in another place, with assets and packages compiled again, and returns the
// checksums. Only the command that makes the assets may come from Go's ordinary cache, because it is not part of the release.
func rebuild(ctx context.Context, version string) (string, error) {
	copied, err := os.MkdirTemp("", "forecourt-dist-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(copied) }()
	modules, err := filepath.Abs("node_modules")
	if err != nil {
		return "", err
	}
	script := strings.Join([]string{
		`git ls-files -z --cached --others --exclude-standard | tar --null --files-from - ` +
			`--ignore-failed-read --create | tar --extract --directory "$1"`,
		`cd "$1"`, `ln -s "$2" node_modules`, `go run ./cmd/assets`,
		`GOCACHE="$1/.cache" go run ./cmd/dist --version "$3" >/dev/null`, `rm -rf .cache`,
	}, " && ")
	again := exec.CommandContext(ctx, "sh", "-c", script, "sh", copied, modules, version)
	again.Stderr = os.Stderr
	if err := again.Run(); err != nil {
		return "", err
	}
	listed, err := os.ReadFile(filepath.Join(copied, folder, sums))
	return string(listed), err
}
