package main

import (
	"bytes"
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"forecourt/app/apptest"
)

func TestASmallHeapOfABusyProgramIsCollectedLessOften(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		live uint64
		busy bool
		want int
	}{
		{"nothing survived", 0, true, 300},
		{"busy, 5 MB", 5 << 20, true, 300},
		{"busy, 13 MB grow to 40", 13_981_013, true, 200},
		{"busy, 20 MB double", 20 << 20, true, 100},
		{"busy, what is large doubles, too", 400 << 20, true, 100},
		{"calm, 5 MB", 5 << 20, false, 25},
		{"calm, what is large", 400 << 20, false, 25},
	} {
		if got := growth(c.live, c.busy); got != c.want {
			t.Errorf("%s: it grows by %d %%, not %d", c.name, got, c.want)
		}
	}
}

func TestAProgramThatBecomesQuietCollectsMoreOften(t *testing.T) { //nolint:paralleltest // changes the collector of the whole process
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(100)
	busy, quiet := context.WithCancel(t.Context())
	calm, end := context.WithCancel(t.Context())
	defer func() {
		quiet()
		end()
		debug.SetGCPercent(before)
	}()
	growHeap(busy, heap{at: time.Now()}, time.Minute)
	wantGrowth(t, "busy", func(percent uint64) bool { return percent >= 100 })
	debug.SetGCPercent(50)
	wantGrowth(t, "still busy", func(percent uint64) bool {
		_ = bytes.Repeat([]byte{1}, 64<<20)
		runtime.GC()
		return percent >= 100
	})
	quiet()
	growHeap(calm, heap{at: time.Now()}, time.Millisecond) // collects by itself
	wantGrowth(t, "calm", func(percent uint64) bool { return percent == 25 })
}

func TestAProgramIsBusyByWhatItAllocates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		bytes uint64
		in    time.Duration
		want  bool
	}{
		{"a megabyte in a second", 1 << 20, time.Second, true},
		{"less", 1<<20 - 1, time.Second, false},
		{"a collection after a long time", 30 << 20, time.Minute, false},
		{"a collection soon after the last one", 30 << 20, time.Second, true},
		{"an idle program that is asked to collect", 0, time.Millisecond, false},
	} {
		before := heap{at: time.Now(), allocated: 123}
		if got := (heap{at: before.at.Add(c.in), allocated: 123 + c.bytes}).busySince(before); got != c.want {
			t.Errorf("%s: busy %t", c.name, got)
		}
	}
}

func wantGrowth(t *testing.T, what string, good func(percent uint64) bool) {
	t.Helper()
	growth := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	apptest.Eventually(t, what, func() bool {
		metrics.Read(growth)
		return good(growth[0].Value.Uint64())
	})
}
