package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// report prints figures as they are measured, one line each: name, value, target, and a mark if the target is missed.
type report struct {
	out io.Writer

	mu    sync.Mutex
	wrong []error // each missed target, and what else failed
}

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

func (r *report) beside(name string, value float64, target, unit string, met bool) {
	mark := "ok"
	if !met {
		mark = "MISSED"
		r.note(context.Background(), fmt.Errorf("%s is "+unit+", not %s", name, value, target))
	}
	fmt.Fprintf(r.out, "  %-62s %10s   %-17s %s\n", name, fmt.Sprintf(unit, value), target, mark)
}

// note remembers what went wrong, unless the time in which it may go wrong is over.
func (r *report) note(open context.Context, err error) {
	if err != nil && open.Err() == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.wrong = append(r.wrong, err)
	}
}

// failures returns an error that quotes the first of all that went wrong.
func (r *report) failures() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%d failures, among them:\n%w", len(r.wrong), errors.Join(r.wrong[:min(10, len(r.wrong))]...))
}

// median returns the median of at least one value, the upper one of two.
func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }

// percentile99 returns the p99 of at least one duration, in milliseconds.
func percentile99(durations []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(durations))
	return ms(sorted[(len(sorted)*99+99)/100-1])
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
