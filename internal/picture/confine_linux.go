package picture

import (
	"fmt"
	"os"
	"syscall"
)

// confine has the system end this process when it takes that much more memory, in bytes, or that many seconds of
// processor time, and refuse it any further file. A limit of the address space is no use: Go reserves far more of that than it takes.
func confine(memory int64, seconds int) error {
	taken, err := data()
	if err != nil {
		return err
	}
	for _, l := range []struct {
		resource int
		most     int64
	}{
		{syscall.RLIMIT_CORE, 0}, {syscall.RLIMIT_FSIZE, 0}, {syscall.RLIMIT_NOFILE, 0},
		{syscall.RLIMIT_CPU, int64(seconds)}, {syscall.RLIMIT_DATA, taken + memory},
	} {
		most := uint64(l.most) //nolint:gosec // not negative
		if err := syscall.Setrlimit(l.resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	return nil
}

// self is the program that runs, even after its file was replaced by a newer one.
func self() (string, error) { return "/proc/self/exe", nil }

// data is how much memory, in bytes, the process has asked for so far. A program begins with a lot that it hardly uses.
func data() (int64, error) {
	file, err := os.Open("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	var size, resident, shared, text, library, pages int64
	_, err = fmt.Fscan(file, &size, &resident, &shared, &text, &library, &pages)
	return pages * int64(os.Getpagesize()), err
}
