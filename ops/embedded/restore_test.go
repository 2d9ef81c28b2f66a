package embedded

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"forecourt/internal/kit/check"
)

func TestDamagedBackupsAreRefused(t *testing.T) {
	t.Parallel()
	taken := time.Date(2025, 1, 31, 9, 30, 0, 0, time.UTC)
	entries := func(tw *tar.Writer) error {
		return errors.Join(writeText(tw, "cluster/PG_VERSION", "18"), writeText(tw, "secret", strings.Repeat("s3cret ", 60)))
	}
	var whole bytes.Buffer
	check.Must(t, writeArchive(&whole, taken, entries))
	files := []string{"secret"}
	if got, err := Verify(files, bytes.NewReader(whole.Bytes())); err != nil || !got.Equal(taken) {
		t.Fatalf("an undamaged backup: %s, %v", got, err)
	}
	t.Run("any flipped bit is found, and nothing is left behind", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "data")
		for i := range whole.Len() * 8 {
			damaged := bytes.Clone(whole.Bytes())
			damaged[i/8] ^= 1 << (i % 8)
			if _, err := Recover(t.Context(), dir, files, bytes.NewReader(damaged), Recovery{}); !errors.Is(err, ErrNoBackup) {
				t.Errorf("bit %d of byte %d of %d: %v", i%8, i/8, whole.Len(), err)
			}
		}
		_, err := os.Stat(dir)
		check.ErrorIs(t, err, os.ErrNotExist, "the data folder exists")
	})
	t.Run("any truncation is found", func(t *testing.T) {
		t.Parallel()
		for n := range whole.Len() {
			if _, err := Verify(files, bytes.NewReader(whole.Bytes()[:n])); !errors.Is(err, ErrNoBackup) {
				t.Errorf("%d bytes of %d: %v", n, whole.Len(), err)
			}
		}
	})
	t.Run("an earlier release's backup, which has no digest, is read", func(t *testing.T) {
		t.Parallel()
		var old bytes.Buffer
		zw, err := zstd.NewWriter(&old)
		check.Must(t, err)
		tw := tar.NewWriter(zw)
		err = errors.Join(entries(tw), writeText(tw, "forecourt-backup-1", "2025-01-31T09:30:00Z"), tw.Close(), zw.Close())
		check.Must(t, err)
		if got, err := Verify(files, bytes.NewReader(old.Bytes())); err != nil || !got.Equal(taken) {
			t.Errorf("%s, %v", got, err)
		}
	})
}
