package embedded

import "testing"

func TestTheLogFitsTheDisk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		free     uint64
		max, min string
	}{
		{"nobody knows", 0, "256MB", "64MB"},
		{"a full disk", 100 * mb, "256MB", "64MB"},
		{"8 GB", 8192 * mb, "512MB", "128MB"},
		{"a large disk", 1 << 40, "1024MB", "256MB"},
	} {
		if got := settings(nil, 18, tt.free); got["max_wal_size"] != tt.max || got["min_wal_size"] != tt.min {
			t.Errorf("%s: %s and %s, want %s and %s", tt.name, got["max_wal_size"], got["min_wal_size"], tt.max, tt.min)
		}
	}
	if got := settings(map[string]string{"max_wal_size": "64MB"}, 18, 1<<40); got["max_wal_size"] != "64MB" {
		t.Errorf("what is asked for does not win: %s", got["max_wal_size"])
	}
}
