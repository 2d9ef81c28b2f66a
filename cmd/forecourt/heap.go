package main

import (
	"context"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	// leastHeap is the size in bytes up to which the heap of a busy program may grow before it is collected. By default Go collects a heap
	// whenever it has doubled. On a busy site with a small heap that is many times a second, and takes a tenth of the processor time to save
	// a few megabytes.
	leastHeap = 40 << 20
	// busyRate is how many bytes a second a busy program allocates.
	busyRate = 1 << 20
	// quietFor is how long a program has to be quiet before it gives memory back.
	quietFor = 5 * time.Second
	// calm is the GC percentage of a program that is not busy: it has time to collect.
	calm = 25
	// heapShare is the share of the memory that the heap may take. The built-in database and the processes that read pictures need the rest.
	heapShare = 0.5
)

// limitHeap makes the collector work harder as the heap approaches its share of the memory that the program's control group or machine has.
// GOMEMLIMIT, if set, applies instead, and AUTOMEMLIMIT as the share.
func limitHeap(log *slog.Logger) {
	memory := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithProvider(memory), memlimit.WithRatio(heapShare)); err != nil {
		log.Warn("the heap has no limit", "error", err)
	}
}

// heap is the state of the heap at some time.
type heap struct {
	at        time.Time
	allocated uint64 // bytes since the program's start
	live      uint64 // bytes that survived the previous collection
}

func readHeap() heap {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return heap{time.Now(), s[0].Value.Uint64(), s[1].Value.Uint64()}
}

// busySince reports whether the program has been busy since before. How often it collects would not tell, since growHeap itself changes that.
func (h heap) busySince(before heap) bool {
	return float64(h.allocated-before.allocated) >= busyRate*h.at.Sub(before.at).Seconds()
}

// growHeap lets the heap grow to leastHeap if the program has been busy since the previous collection, and otherwise only a little. It decides
// again after each collection, until ctx ends. When a busy program has become quiet for pause, what it no longer needs goes back to the
// system. If GOGC is set, growHeap does nothing.
func growHeap(ctx context.Context, before heap, pause time.Duration) {
	if os.Getenv("GOGC") != "" || ctx.Err() != nil {
		return
	}
	now := readHeap()
	busy := now.busySince(before)
	debug.SetGCPercent(growth(now.live, busy))
	waiting, stop := context.WithCancel(ctx)
	if busy {
		go freeWhenQuiet(waiting, now, pause)
	}
	unused := &struct{ _ *byte }{}
	runtime.AddCleanup(unused, func(struct{}) {
		stop()
		growHeap(ctx, now, pause)
	}, struct{}{})
}

// freeWhenQuiet waits until the program has not been busy for pause, and gives memory back to the system.
func freeWhenQuiet(ctx context.Context, before heap, pause time.Duration) {
	look := time.NewTicker(pause)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			now := readHeap()
			if !now.busySince(before) {
				debug.FreeOSMemory() // collects, so growHeap decides again
				return
			}
			before = now
		}
	}
}

// growth returns the GC percentage for a heap of live bytes.
func growth(live uint64, busy bool) int {
	const double, most = 100, 300
	if !busy {
		return calm
	}
	percent := leastHeap*100/max(1, int64(live)) - 100 //nolint:gosec // a heap has fewer than 2^63 bytes
	return int(min(max(double, percent), most))
}
