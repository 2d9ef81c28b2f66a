package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// keptICU lists the parts of ICU's data that initdb reads to look up the version of the root collation.
var keptICU = []string{"root.res", "pool.res", "coll/root.res", "coll/pool.res", "coll/ucadata.icu"}

var errICU = errors.New("ICU's data is not where it was expected")

// blankICU overwrites the data in ICU's library with zeros, except for keptICU. PostgreSQL needs the library to start, but our clusters use
// PostgreSQL's own locale, which never calls ICU. The data would make up half of the archive.
func blankICU(library []byte) error {
	data, err := dataOfICU(library)
	if err != nil {
		return err
	}
	// The data is a header that begins with its own length in 16 bits, then a table: the number of items, then for each the offsets of its
	// name and its content from the start of the table. Items are sorted by name, and the contents come last.
	if len(data) < 2 {
		return errICU
	}
	table := data[min(int(binary.LittleEndian.Uint16(data)), len(data)):]
	if len(table) < 4 {
		return errICU
	}
	count := int(binary.LittleEndian.Uint32(table))
	at := func(i int) int { return int(binary.LittleEndian.Uint32(table[4*i:])) }
	if count < 1 || len(table) < 4+8*count {
		return errICU
	}
	kept := 0
	for i := range count {
		name, from, to := at(1+2*i), at(2+2*i), len(table)
		if i+1 < count {
			to = at(4 + 2*i)
		}
		if name > len(table) || from > to || to > len(table) {
			return errICU
		}
		text, _, _ := bytes.Cut(table[name:], []byte{0})
		if _, item, _ := strings.Cut(string(text), "/"); slices.Contains(keptICU, item) {
			kept++
		} else {
			clear(table[from:to])
		}
	}
	if kept < 3 {
		return errICU
	}
	return nil
}

// dataOfICU returns the part of the library that holds the data.
func dataOfICU(library []byte) ([]byte, error) {
	parsed, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		return nil, err
	}
	symbols, err := parsed.DynamicSymbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		if !strings.HasPrefix(s.Name, "icudt") || int(s.Section) >= len(parsed.Sections) {
			continue
		}
		section := parsed.Sections[s.Section]
		from := section.Offset + s.Value - section.Addr
		if end := from + s.Size; end >= from && end <= uint64(len(library)) {
			return library[from:end], nil
		}
	}
	return nil, errICU
}
