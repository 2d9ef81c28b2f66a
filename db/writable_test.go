package db_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestWritableReportsAFullDisk(t *testing.T) {
	t.Parallel()
	address := dbtest.URL(t)
	for _, tt := range []struct {
		name, setting, value string
		fails                bool
	}{
		{"a sound database", "application_name", "x", false},
		{"no room on the disk", "temp_file_limit", "0", true},
		{"made read-only", "default_transaction_read_only", "on", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cfg, err := pgxpool.ParseConfig(address)
			check.Must(t, err)
			cfg.ConnConfig.RuntimeParams[tt.setting] = tt.value
			pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
			check.Must(t, err)
			defer pool.Close()
			err = db.Writable(t.Context(), pool)
			check.Equal(t, err != nil, tt.fails, "Writable: %v", err)
		})
	}
}
