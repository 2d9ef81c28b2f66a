package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// leastDisk and littleDisk are the free bytes of the data folder below which the check fails or warns.
	leastDisk, littleDisk = 500e6, 5e9
	// manyFiles is how many open files suffice for all event streams of a process.
	manyFiles = 32_768
)

func (d *doctor) disk(context.Context) {
	var s unix.Statfs_t
	err := unix.Statfs(d.folder, &s)
	if errors.Is(err, fs.ErrNotExist) && d.DatabaseURL != "" {
		return // no data is kept there
	}
	if err != nil {
		d.add("disk", fail, d.folder+": "+err.Error(), "Set FORECOURT_DATA to the data folder.")
		return
	}
	d.sayDisk(float64(s.Bavail) * float64(s.Bsize))
}

func (d *doctor) sayDisk(free float64) {
	says := fmt.Sprintf("%.1f GB free for %s", free/1e9, d.folder)
	const do = "Make room, or move FORECOURT_DATA to a larger disk: a full one stops payments."
	switch {
	case free < leastDisk:
		d.add("disk", fail, says, do)
	case free < littleDisk:
		d.add("disk", warn, says, do)
	default:
		d.add("disk", fine, says, "")
	}
}

// files looks at the limit of this process, which a service of systemd does not share.
func (d *doctor) files(context.Context) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		d.add("open files", warn, err.Error(), "")
		return
	}
	d.sayFiles(limit.Max) // Go raises the soft limit to the hard one at its start
}

func (d *doctor) sayFiles(most uint64) {
	says := fmt.Sprintf("at most %d", most)
	if most < manyFiles {
		d.add("open files", warn, says, "Raise it to 65536 (LimitNOFILE of the unit, ulimit -n): each open page that follows changes needs one.")
		return
	}
	d.add("open files", fine, says, "")
}

// readLineOf reads a file of one line. A missing file reads as empty.
func readLineOf(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}
