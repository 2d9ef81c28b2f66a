package jobs

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"forecourt/internal/kit/check"
)

func TestStoppingLogsNoErrorOfTheQueuesUpkeep(t *testing.T) {
	t.Parallel()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, one := range []struct {
		name, message string
		ctx           context.Context
		logged        bool
	}{
		{"upkeep interrupted by a stop", "maintenance.PeriodicJobEnqueuer: Error starting transaction", stopped, false},
		{"upkeep that failed", "maintenance.PeriodicJobEnqueuer: Error starting transaction", t.Context(), true},
		{"a job interrupted by a stop", "jobexecutor.JobExecutor: Job errored", stopped, true},
	} {
		var out bytes.Buffer
		slog.New(quiet{slog.NewTextHandler(&out, nil)}).ErrorContext(one.ctx, one.message)
		check.Equal(t, out.Len() > 0, one.logged, "%s: logged", one.name)
	}
}
