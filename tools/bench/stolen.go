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

// cpuTime is the processor time of this machine in ticks: all of it, and the part that other machines took.
type cpuTime struct{ all, stolen uint64 }

// readCPUTime reads the time since the machine started.
func readCPUTime() (cpuTime, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return cpuTime{}, err
	}
	return parseCPUTime(string(text))
}

// parseCPUTime reads the first line of /proc/stat: cpu user nice system idle iowait irq softirq steal, and time that these contain already.
func parseCPUTime(stat string) (t cpuTime, err error) {
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
func (t cpuTime) stolenSince(before cpuTime) float64 {
	if t.all == before.all {
		return 0
	}
	return float64(t.stolen-before.stolen) / float64(t.all-before.all)
}
