package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// The tests of the database show that PostgreSQL starts with the rest.
func TestMostOfICUsDataIsBlank(t *testing.T) {
	t.Parallel()
	found, err := filepath.Glob(filepath.Join("..", "..", installedPostgres("node_modules"), "native", "lib", "libicudata.so.*"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no library: %v, %v", found, err)
	}
	library, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	size := len(library)
	if err := blankICU(library); err != nil {
		t.Fatal(err)
	}
	if len(library) != size {
		t.Errorf("%d bytes became %d", size, len(library))
	}
	zw, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	if packed := len(zw.EncodeAll(library, nil)); packed < 100_000 || packed > 1_000_000 {
		t.Errorf("packed, it has %d bytes", packed)
	}
}

func TestALibraryWithoutICUsDataIsAnError(t *testing.T) {
	t.Parallel()
	for name, library := range map[string][]byte{"nothing": nil, "text": []byte("#!/bin/sh")} {
		if blankICU(library) == nil {
			t.Errorf("no error for %s", name)
		}
	}
}
