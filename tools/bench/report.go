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

// report prints figures as they are measured, one line each: name, value, aim, and a mark if the aim is missed.
type report struct{ out io.Writer }

// unit is the unit of a figure, and how it is printed.
type unit struct{ format string }

var (
	megabytes    = unit{"%.1f MB"}
	kilobytes    = unit{"%.1f kB"}
	octets       = unit{"%.0f B"}
	seconds      = unit{"%.1f s"}
	milliseconds = unit{"%.1f ms"}
	microseconds = unit{"%.1f µs"}
	perSecond    = unit{"%.0f/s"}
	times        = unit{"%.2f×"}
	percent      = unit{"%.1f %%"}
	plain        = unit{"%.4g"}
)

func (u unit) text(value float64) string { return fmt.Sprintf(u.format, value) }

func (r *report) section(title string) { fmt.Fprintf(r.out, "\n%s\n", title) }

func (r *report) atMost(name string, value, aim float64, u unit) {
	r.line(name, u.text(value), "at most "+u.text(aim), value <= aim)
}

func (r *report) atLeast(name string, value, aim float64, u unit) {
	r.line(name, u.text(value), "at least "+u.text(aim), value >= aim)
}

// known prints a figure without an aim.
func (r *report) known(name string, value float64, u unit) {
	fmt.Fprintf(r.out, "  %-60s %12s\n", name, u.text(value))
}

func (r *report) line(name, value, aim string, met bool) {
	mark := "ok"
	if !met {
		mark = "MISSED"
	}
	fmt.Fprintf(r.out, "  %-60s %12s   %-18s %s\n", name, value, aim, mark)
}

// machine prints a description of the machine, on which the absolute figures depend.
func (r *report) machine() {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		load = []byte("unknown")
	}
	fmt.Fprintf(r.out, "%d processors, load average %s at the start. Ratios hold on any machine, the rest on this one.\n",
		runtime.NumCPU(), strings.Join(strings.Fields(string(load))[:1], ""))
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
