package main

import (
	"bufio"
	"debug/elf"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// forgetStart returns the memory that holds the parts of the program's own file that were read at its start: code and tables. Few of them are
// needed again, and the system reads those again by itself.
func forgetStart() { adviseOwnFile(unix.MADV_DONTNEED) }

// adviseOwnFile gives the system advice about the memory that holds the program's own file, other than its variables.
// It does nothing in a program that was relocated when it started, whose tables would come back as they are in the file.
func adviseOwnFile(advice uintptr) {
	program, err := elf.Open("/proc/self/exe")
	if err != nil {
		return
	}
	defer func() { _ = program.Close() }()
	if program.Type != elf.ET_EXEC || slices.ContainsFunc(program.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_GNU_RELRO }) {
		return
	}
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer func() { _ = maps.Close() }()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to uintptr
		var rights string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &rights); err != nil {
			return
		}
		if strings.HasSuffix(lines.Text(), " "+self) && !strings.Contains(rights, "w") {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, advice) // a refusal does no harm
		}
	}
}
