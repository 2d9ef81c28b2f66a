package site

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/handlers/web"
)

// writesEvery is how long a successful write counts. A load balancer asks every second or two.
const writesEvery = 15 * time.Second

// readiness remembers the last result.
type readiness struct {
	mu    sync.Mutex
	wrote time.Time // when the database last wrote something
	down  bool
}

// Ready answers GET /readyz: 200 once the database answers, is up to date and can write. It logs when that changes.
func (h *Handler) Ready(w http.ResponseWriter, r *http.Request) error {
	err := h.ready.check(r.Context(), h.Pool)
	if r.Context().Err() != nil {
		return err
	}
	if changed := h.ready.note(err != nil); changed && err != nil {
		web.Log(r, h.Log).ErrorContext(r.Context(), "not ready", "error", err)
	} else if changed {
		web.Log(r, h.Log).LogAttrs(r.Context(), slog.LevelInfo, "ready again")
	}
	if err != nil {
		return web.WriteJSON(w, http.StatusServiceUnavailable, map[string]string{"error": "not ready"})
	}
	return web.WriteJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}

// check makes the database write, unless it did so recently.
func (c *readiness) check(ctx context.Context, pool *pgxpool.Pool) error {
	current, err := db.Current(ctx, pool)
	if err != nil {
		return err
	}
	if !current {
		return errors.New("migrations have not run")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.wrote) < writesEvery {
		return nil
	}
	if err := db.Writable(ctx, pool); err != nil {
		return err
	}
	c.wrote = time.Now()
	return nil
}

// note reports whether the result differs from the last one.
func (c *readiness) note(down bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := c.down != down
	c.down = down
	return changed
}
