package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// mostStolen is the share of processor time that other machines on the same host may take from this one. Beyond it the machine stands still
// for longer than a page takes, so times are printed but not judged.
const mostStolen = 0.02

// ticks is processor time of this machine: all of it, and the part that other machines took.
type ticks struct{ all, stolen uint64 }

// readTicks reads the time since the machine started.
func readTicks() (ticks, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return ticks{}, err
	}
	return parseTicks(string(text))
}

// parseTicks reads the first line of /proc/stat: cpu user nice system idle iowait irq softirq steal, and time that these contain already.
func parseTicks(stat string) (t ticks, err error) {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return t, fmt.Errorf("/proc/stat begins with %q", line)
	}
	for _, field := range fields[1:9] {
		if t.stolen, err = strconv.ParseUint(field, 10, 64); err != nil {
			return t, err
		}
		t.all += t.stolen
	}
	return t, nil
}

// stolenSince returns the share of the time since before that other machines took, 0 to 1.
func (t ticks) stolenSince(before ticks) float64 {
	if t.all == before.all {
		return 0
	}
	return float64(t.stolen-before.stolen) / float64(t.all-before.all)
}
