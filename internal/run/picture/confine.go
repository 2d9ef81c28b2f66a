package picture

import (
	"fmt"
	"os"
	"syscall"
)

// confine makes the system end this process once it takes that many more bytes of memory or seconds of processor time, and stops it from
// opening more files. RLIMIT_AS does not help, because Go reserves far more address space than it needs.
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

// data returns how much memory the process has requested, in bytes. A Go program requests a lot at its start and hardly uses it.
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
