package payment_test

import (
	"testing"
	"time"

	"forecourt/internal/dbtest"
	"forecourt/internal/payment"
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
			_, err := pool.Exec(t.Context(), "INSERT INTO river_job (args, kind, max_attempts, created_at) VALUES ('{}', 'watch', 1, $1)", now.Add(-tt.newest))
			if err != nil {
				t.Fatal(err)
			}
			if err := payment.CloseRestored(t.Context(), pool, now.Add(-tt.taken), false); err != nil {
				t.Fatal(err)
			}
			var since time.Time
			if err := pool.QueryRow(t.Context(), "SELECT backup_at FROM restore").Scan(&since); err != nil || since.Sub(now.Add(-tt.want)).Abs() > time.Second {
				t.Errorf("the ledger is imported from %s ago, want %s, %v", now.Sub(since), tt.want, err)
			}
		})
	}
}
