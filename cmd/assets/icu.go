package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// keptICU is what initdb reads of ICU's data: it looks the version of the root collation up.
var keptICU = []string{"root.res", "pool.res", "coll/root.res", "coll/pool.res", "coll/ucadata.icu"}

var errICU = errors.New("ICU's data is not where it was expected")

// blankICU fills with zeros what is not needed of ICU's data in its library. PostgreSQL needs the library to start, but a cluster of
// ours has PostgreSQL's own locale, which asks ICU nothing. The data would be half of the archive.
func blankICU(library []byte) error {
	data, err := dataOfICU(library)
	if err != nil {
		return err
	}
	// A header that begins with its length in 16 bits, then a table: the count of items, then for each the places of its name and of its
	// content, counted from the table. All of it is in the order of the names, with the contents last.
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
