package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report prints figures as they are measured, one line each: name, value, target, and a mark if the target is missed.
type report struct{ out io.Writer }

// The formats of the figures' units.
const (
	megabytes    = "%.1f MB"
	kilobytes    = "%.1f kB"
	milliseconds = "%.0f ms"
	perSecond    = "%.0f/s"
	times        = "%.2f×"
	percent      = "%.1f %%"
	plain        = "%.0f"
)

func (r *report) section(title string) { fmt.Fprintf(r.out, "\n%s\n", title) }

// known prints a figure without a target.
func (r *report) known(name string, value float64, unit string) {
	fmt.Fprintf(r.out, "  %-62s %10s\n", name, fmt.Sprintf(unit, value))
}

func (r *report) atMost(name string, value, target float64, unit string) {
	r.beside(name, value, "at most "+fmt.Sprintf(unit, target), unit, value <= target)
}

func (r *report) atLeast(name string, value, target float64, unit string) {
	r.beside(name, value, "at least "+fmt.Sprintf(unit, target), unit, value >= target)
}

func (r *report) beside(name string, value float64, target, unit string, met bool) {
	mark := "ok"
	if !met {
		mark = "MISSED"
	}
	fmt.Fprintf(r.out, "  %-62s %10s   %-17s %s\n", name, fmt.Sprintf(unit, value), target, mark)
}

// machine prints what the absolute figures depend on.
func (r *report) machine() {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		load = []byte("unknown")
	}
	first, _, _ := strings.Cut(string(load), " ")
	fmt.Fprintf(r.out, "%d processors, load average %s at the start. Ratios hold on any machine, the rest on this one.\n",
		runtime.NumCPU(), first)
}

// median returns the median of at least one value.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// percentile99 returns the p99 of at least one duration, in milliseconds.
func percentile99(durations []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(durations))
	return ms(sorted[(len(sorted)*99+99)/100-1])
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
