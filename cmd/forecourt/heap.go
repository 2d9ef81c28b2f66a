package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// leastHeap is the size in bytes up to which the heap of a busy program may grow before it is collected. By default Go collects a heap
	// whenever it has doubled. On a busy site with a small heap that is many times a second, and takes a tenth of the processor time to save
	// a few megabytes.
	leastHeap = 40 << 20
	// often is the time between two collections below which a program counts as busy. The runtime also collects the heap of an idle program,
	// every two minutes.
	often = 5 * time.Second
)

// growHeap lets the heap grow to leastHeap if the previous collection, at before, was a moment ago. Otherwise it lets the heap double, so that
// a program that has become quiet returns memory. It decides again after each collection. If GOGC is set, it does nothing.
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

// growth returns by how many percent the heap may grow: live is how many bytes survived the last collection, and after the time between that
// collection and the one before.
func growth(live uint64, after time.Duration) int {
	const double, most = 100, 300
	if live == 0 || after > often {
		return double
	}
	percent := leastHeap*100/int64(live) - 100 //nolint:gosec // a heap has fewer than 2^63 bytes
	return int(min(max(double, percent), most))
}
