package store

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestAFolderThatNobodyHereMayReadIsNotCleaned has a disk of its own for the archive: its lost+found belongs to root.
func TestAFolderThatNobodyHereMayReadIsNotCleaned(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	part := filepath.Join(place, "wal", PartPrefix+"1")
	old := time.Now().Add(-2 * PartFor)
	err := errors.Join(
		os.Mkdir(filepath.Join(place, "lost+found"), 0), os.Mkdir(filepath.Dir(part), 0o700),
		os.WriteFile(part, nil, 0o600), os.Chtimes(part, old, old),
	)
	if err != nil {
		t.Fatal(err)
	}
	cleaned := make(chan error)
	go func() {
		runtime.LockOSThread() // the thread ends with the goroutine
		if os.Getuid() == 0 {
			const nobody = 65534
			for _, name := range []string{place, filepath.Dir(part)} {
				if err := os.Chown(name, nobody, nobody); err != nil {
					cleaned <- err
					return
				}
			}
			err := errors.Join(os.Chmod(filepath.Dir(place), 0o755), unix.Setfsuid(nobody))
			if err != nil {
				cleaned <- err
				return
			}
		}
		cleaned <- NewFolder(place).Clean(t.Context())
	}()
	if err := <-cleaned; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(part); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old part is still there: %v", err)
	}
}
