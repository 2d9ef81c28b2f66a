package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastHeap is the size in bytes up to which the heap may grow before it is collected. By default it is collected whenever it has
// doubled. For a small heap that is many times a second, which costs a busy site a tenth of its processor time and saves a few megabytes.
const leastHeap = 40 << 20

// growHeap lets the heap grow to leastHeap, and beyond that lets it double. It adjusts this after each collection. It leaves GOGC
// alone if it is set.
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

// growth returns by how many percent a heap may grow if live bytes survived the last collection.
func growth(live uint64) int {
	const double, most = 100, 300
	if live == 0 {
		return most // nothing was collected yet
	}
	percent := leastHeap*100/int64(live) - 100 //nolint:gosec // a heap has fewer than 2^63 bytes
	return int(min(max(double, percent), most))
}
