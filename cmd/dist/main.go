// Command dist builds a release: a program for each architecture, a list of its parts (CycloneDX) and the checksums of all
// files. `make dist` calls it from the repository root once the assets are built; --check builds everything again from
// scratch in another place, and fails if a byte differs.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

const (
	folder = "dist"
	sums   = "SHA256SUMS"
)

// machines lists the kinds of machine that programs are built for, as Go names them.
var machines = []string{"amd64", "arm64"}

func main() {
	check := flag.Bool("check", false, "build again elsewhere and compare")
	version := flag.String("version", "development", "what forecourt version prints")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "dist takes no arguments, only flags")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *version, *check)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, version string, check bool) error {
	if err := build(ctx, version); err != nil {
		return err
	}
	listed, err := os.ReadFile(filepath.Join(folder, sums))
	if err != nil {
		return err
	}
	if !check {
		fmt.Printf("%s", listed)
		return nil
	}
	again, err := rebuild(ctx, version)
	if err != nil {
		return err
	}
	if again != string(listed) {
		return fmt.Errorf("two builds differ:\n%s\n%s", listed, again)
	}
	fmt.Printf("two builds are equal:\n%s", listed)
	return nil
}

// build fills the folder of the release.
func build(ctx context.Context, version string) error {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	var files []string
	for _, machine := range machines {
		name := "forecourt-linux-" + machine
		if err := compile(ctx, machine, version, filepath.Join(folder, name)); err != nil {
			return fmt.Errorf("%s: %w", machine, err)
		}
		if err := writeParts(machine, filepath.Join(folder, name)); err != nil {
			return fmt.Errorf("what is in %s: %w", name, err)
		}
		files = append(files, name, name+partsSuffix)
	}
	return writeSums(files)
}

// writeSums writes checksums in the form that sha256sum --check reads.
func writeSums(files []string) error {
	slices.Sort(files)
	var list strings.Builder
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(content), name)
	}
	return os.WriteFile(filepath.Join(folder, sums), []byte(list.String()), 0o600)
}
