package payment_test

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

func TestABackupsTimeIsNotLaterThanItsRows(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		newest, taken, want time.Duration // how long ago
	}{
		"a program served until the backup":    {time.Hour, time.Hour, time.Hour},
		"a days-old backup with a recent time": {72 * time.Hour, time.Minute, 72 * time.Hour},
		"a backup with its start time":         {time.Hour, time.Hour + time.Minute, time.Hour + time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := dbtest.Pool(t)
			now := time.Now()
			dbtest.Exec(t, pool, "INSERT INTO river_job (args, kind, max_attempts, created_at) VALUES ('{}', 'watch', 1, $1)", now.Add(-tt.newest))
			check.Must(t, payment.CloseRestored(t.Context(), pool, now.Add(-tt.taken), false))
			since := dbtest.Value[time.Time](t, pool, "SELECT backup_at FROM restore")
			if since.Sub(now.Add(-tt.want)).Abs() > time.Second {
				t.Errorf("the ledger is imported from %s ago, want %s", now.Sub(since), tt.want)
			}
		})
	}
}
