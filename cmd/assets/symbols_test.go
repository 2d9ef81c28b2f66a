package main

import (
	"debug/elf"
	"os"
	"path/filepath"
	"testing"
)

// The tests of the database show that PostgreSQL starts with the rest.
func TestSymbolsOfPostgreSQLAreBlank(t *testing.T) {
	t.Parallel()
	server, err := os.ReadFile(filepath.Join("..", "..", installedPostgres("node_modules"), "native", "bin", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	size := len(server)
	if err := blankSymbols(server); err != nil || len(server) != size {
		t.Fatalf("%d bytes became %d, %v", size, len(server), err)
	}
	name := filepath.Join(t.TempDir(), "postgres")
	if err := os.WriteFile(name, server, 0o600); err != nil {
		t.Fatal(err)
	}
	parsed, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer parsed.Close()
	for section, blank := range map[string]bool{".symtab": true, ".strtab": true, ".text": false, ".dynsym": false, ".rodata": false} {
		found := parsed.Section(section)
		if found == nil {
			t.Errorf("no section %s", section)
			continue
		}
		content, err := found.Data()
		if err != nil {
			t.Fatal(err)
		}
		zeros := 0
		for _, b := range content {
			if b == 0 {
				zeros++
			}
		}
		if len(content) == 0 || (zeros == len(content)) != blank {
			t.Errorf("%s has %d zeros in %d bytes", section, zeros, len(content))
		}
	}
	if broken := []byte(elf.ELFMAG + "nothing"); blankSymbols(broken) == nil {
		t.Error("no error for a broken program")
	}
}
