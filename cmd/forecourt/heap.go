package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastHeap is the size in bytes up to which the heap may grow before it is collected. By default it is collected whenever it has
// doubled: a small heap many times a second, to save a few megabytes, with a tenth of the processor time of a busy site.
const leastHeap = 40 << 20

// growHeap lets the heap grow to leastHeap, and double beyond. It measures again after each collection. GOGC, if it is set, is left
// alone.
func growHeap() {
	if os.Getenv("GOGC") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(growth(live[0].Value.Uint64()))
	unused := &struct{ _ *byte }{}
	runtime.AddCleanup(unused, func(struct{}) { growHeap() }, struct{}{})
}

// growth returns by how many percent a heap may grow of which so many bytes survived the last collection.
func growth(live uint64) int {
	const double, most = 100, 300
	if live == 0 {
		return most // nothing was collected yet
	}
	percent := leastHeap*100/int64(live) - 100 //nolint:gosec // a heap has fewer than 2^63 bytes
	return int(min(max(double, percent), most))
}
