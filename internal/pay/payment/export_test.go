package payment

import (
	"context"
	"time"
)

func (w *Watch) Remind(ctx context.Context, now time.Time) error { return w.remind(ctx, now) }

func (w *Watch) Logged() int { return len(w.logged) }
