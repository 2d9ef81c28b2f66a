package embedded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"forecourt/internal/check"
	"forecourt/internal/must"
)

func TestWALFitsTheDisk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		free     uint64
		max, min string
	}{
		{"an unknown size", 0, "256MB", "64MB"},
		{"a full disk", 100 * mb, "256MB", "64MB"},
		{"8 GB", 8192 * mb, "512MB", "128MB"},
		{"a large disk", 1 << 40, "1024MB", "256MB"},
	} {
		if got := settings(nil, 18, tt.free, 0); got["max_wal_size"] != tt.max || got["min_wal_size"] != tt.min {
			t.Errorf("%s: %s and %s, want %s and %s", tt.name, got["max_wal_size"], got["min_wal_size"], tt.max, tt.min)
		}
	}
	check.Equal(t, settings(map[string]string{"max_wal_size": "64MB"}, 18, 1<<40, 0)["max_wal_size"], "64MB",
		"the configured value was overridden")
}

func TestTheBuffersFitTheMemory(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		memory         uint64
		buffers, cache string
	}{
		{"an unknown size", 0, "32MB", "128MB"},
		{"512 MB", 512 * mb, "32MB", "256MB"},
		{"8 GB", 8192 * mb, "64MB", "4096MB"},
		{"1 TB", 1 << 40, "256MB", "524288MB"},
	} {
		if got := settings(nil, 18, 0, tt.memory); got["shared_buffers"] != tt.buffers || got["effective_cache_size"] != tt.cache {
			t.Errorf("%s: %s and %s, want %s and %s", tt.name, got["shared_buffers"], got["effective_cache_size"], tt.buffers, tt.cache)
		}
	}
}

func TestMemoryIsLimitedByTheControlGroup(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	service := filepath.Join(root, "system.slice", "forecourt.service")
	must.NoError(t, os.MkdirAll(service, 0o750))
	for folder, limit := range map[string]string{service: "max\n", filepath.Dir(service): "2147483648\n"} {
		must.NoError(t, os.WriteFile(filepath.Join(folder, "memory.max"), []byte(limit), 0o600))
	}
	for _, tt := range []struct {
		name, group  string
		memory, want uint64
	}{
		{"a parent group sets the limit", "0::/system.slice/forecourt.service\n", 8192 * mb, 2048 * mb},
		{"the machine has less memory than the limit", "0::/system.slice/forecourt.service\n", 1024 * mb, 1024 * mb},
		{"no group sets a limit", "0::/user.slice\n", 8192 * mb, 8192 * mb},
		{"cgroups version 1", "4:memory:/x\n", 8192 * mb, 8192 * mb},
	} {
		check.Equal(t, limited(tt.memory, root, tt.group), tt.want, "%s", tt.name)
	}
}

// TestASmallLimitOfFilesIsNamed lowers the limit of this process for a moment; no test writes a file of a gigabyte.
func TestASmallLimitOfFilesIsNamed(t *testing.T) {
	var limit unix.Rlimit
	must.NoError(t, unix.Getrlimit(unix.RLIMIT_FSIZE, &limit))
	if limit.Max < largestFile {
		t.Fatal("this machine allows no larger files, so PostgreSQL cannot run here")
	}
	t.Cleanup(func() { _ = unix.Setrlimit(unix.RLIMIT_FSIZE, &limit) })
	must.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: largestFile - 1, Max: limit.Max}))
	_, err := Start(t.Context(), Options{Dir: newFolder(t)})
	if err == nil || !strings.Contains(err.Error(), "at most 1048575 kB here (ulimit -f, LimitFSIZE)") {
		t.Errorf("Start: %v", err)
	}
	must.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: largestFile, Max: limit.Max}))
	check.NoError(t, checkFileSize())
}
