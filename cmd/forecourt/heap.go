package main

import (
	"context"
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
	// calm is by how many percent the heap may grow in a program that is not busy, which has time to collect.
	calm = 25
)

// growHeap lets the heap grow to leastHeap if the previous collection, at before, was less than pause ago, and otherwise only a little. It
// decides again after each collection, until ctx ends. When a busy program has become quiet for pause, what it no longer needs goes back to the
// system. If GOGC is set, growHeap does nothing.
func growHeap(ctx context.Context, before time.Time, pause time.Duration) {
	if os.Getenv("GOGC") != "" || ctx.Err() != nil {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	now := time.Now()
	busy := now.Sub(before) < pause
	debug.SetGCPercent(growth(live[0].Value.Uint64(), busy))
	quiet := time.AfterFunc(pause, func() {
		if busy {
			debug.FreeOSMemory()
		}
	})
	unused := &struct{ _ *byte }{}
	runtime.AddCleanup(unused, func(struct{}) {
		quiet.Stop()
		growHeap(ctx, now, pause)
	}, struct{}{})
}

// growth returns by how many percent the heap may grow after a collection that live bytes survived.
func growth(live uint64, busy bool) int {
	const double, most = 100, 300
	if !busy {
		return calm
	}
	percent := leastHeap*100/max(1, int64(live)) - 100 //nolint:gosec // a heap has fewer than 2^63 bytes
	return int(min(max(double, percent), most))
}
