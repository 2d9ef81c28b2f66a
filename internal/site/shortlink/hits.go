package shortlink

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"forecourt/db"
)

// hits counts redirects without delaying them: one statement at a time stores the hits that came in meanwhile.
type hits struct {
	queries *db.Queries
	log     *slog.Logger
	work    sync.WaitGroup
	mu      sync.Mutex
	waiting map[string]int64 // by code, not in the database yet
	busy    bool             // a goroutine is storing them
}

func (h *hits) add(code string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waiting[code]++
	if !h.busy {
		h.busy = true
		h.work.Go(h.store)
	}
}

// store works until no hit waits. If the database is away, the hits wait until the next one starts store again.
func (h *hits) store() {
	for counts := h.take(); counts != nil; counts = h.take() {
		var codes []string
		var numbers []int64
		for code, n := range counts {
			codes, numbers = append(codes, code), append(numbers, n)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		err := h.queries.ShortlinkAddHits(ctx, codes, numbers)
		cancel()
		if err != nil {
			h.log.WarnContext(ctx, "short link hits not counted yet", "codes", len(counts), "error", err)
			h.giveBack(counts)
			return
		}
	}
}

// take returns the waiting hits. If there are none, it ends the work and returns nil.
func (h *hits) take() map[string]int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.waiting) == 0 {
		h.busy = false
		return nil
	}
	counts := h.waiting
	h.waiting = map[string]int64{}
	return counts
}

func (h *hits) giveBack(counts map[string]int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for code, n := range counts {
		h.waiting[code] += n
	}
	h.busy = false
}
