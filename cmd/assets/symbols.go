package main

import (
	"bytes"
	"debug/elf"
	"fmt"
)

// blankSymbols zeroes the sections of a program or library that are not loaded at run time, except for the section names. Only debuggers
// read those sections, which make up a tenth of PostgreSQL. It leaves other files alone.
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
