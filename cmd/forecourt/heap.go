package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// leastHeap is the size in bytes up to which the heap of a busy program may grow before it is collected. By default it is collected
	// whenever it has doubled: a small heap many times a second, to save a few megabytes, with a tenth of the processor time of a busy site.
	leastHeap = 40 << 20
	// often is the time between two collections below which a program counts as busy. The runtime collects that of an idle one, too, every
	// two minutes.
	often = 5 * time.Second
)

// growHeap lets a heap that was collected a moment before grow to leastHeap, and any other double, so that a program that has become quiet
// gives memory back. It decides again after each collection. GOGC, if it is set, is left alone.
func growHeap(before time.Time) {
	if os.Getenv("GOGC") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	now := time.Now()
	debug.SetGCPercent(growth(live[0].Value.Uint64(), now.Sub(before)))
	unused := &struct{ _ *byte }{}
	runtime.AddCleanup(unused, func(struct{}) { growHeap(now) }, struct{}{})
}

// growth returns by how many percent a heap may grow of which so many bytes survived the last collection, that long after the one before.
func growth(live uint64, after time.Duration) int {
	const double, most = 100, 300
	if live == 0 || after > often {
		return double
	}
	percent := leastHeap*100/int64(live) - 100 //nolint:gosec // a heap has fewer than 2^63 bytes
	return int(min(max(double, percent), most))
}
