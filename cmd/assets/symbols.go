package main

import (
	"bytes"
	"debug/elf"
	"fmt"
)

// blankSymbols fills with zeros what a program or library holds for debuggers alone, a tenth of PostgreSQL: the sections that are not
// loaded when it runs, except for the sections' names. Other files stay as they are.
func blankSymbols(program []byte) error {
	if !bytes.HasPrefix(program, []byte(elf.ELFMAG)) {
		return nil
	}
	parsed, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return fmt.Errorf("symbols: %w", err)
	}
	for _, s := range parsed.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 || s.Type == elf.SHT_NOBITS || s.Type == elf.SHT_NULL || s.Name == ".shstrtab" {
			continue
		}
		if end := s.Offset + s.FileSize; end >= s.Offset && end <= uint64(len(program)) {
			clear(program[s.Offset:end])
		}
	}
	return nil
}
