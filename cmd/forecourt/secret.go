package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// loadSecret returns the secret in a file of the data folder, and makes it the first time. A kill leaves no half-written file, because a
// file gets its name only once it is complete and on the disk: what was sealed with the secret stays in the database.
func loadSecret(data, name string) (string, error) {
	path := filepath.Join(data, name)
	text, err := os.ReadFile(path)
	if err == nil {
		kept := strings.TrimSpace(string(text))
		if len(kept) < 32 {
			// A new secret would make everything that was encrypted with the old one unreadable.
			return "", fmt.Errorf("secret: %s is shorter than 32 bytes", path)
		}
		return kept, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("secret: %w", err)
	}
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails
	secret := hex.EncodeToString(key[:])
	half := path + ".half"
	if err := writeDurably(half, secret+"\n"); err != nil {
		return "", fmt.Errorf("secret: %w", err)
	}
	return secret, renameDurably(half, path)
}

// writeDurably writes a file that survives a power cut.
func writeDurably(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// renameDurably renames a file and syncs its folder, without which a power cut may undo that. Where a folder cannot be read or synced, as
// on some disks of other machines, that has to do.
func renameDurably(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(to))
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}

// readSecret returns the secret in the settings or, without one, that in the data folder, which it makes the first time.
func (d *database) readSecret(c config) (string, error) {
	if c.Secret != "" {
		return c.Secret, nil
	}
	if err := d.makeData(); err != nil {
		return "", err
	}
	_, there := os.Stat(filepath.Join(d.folder, "secret"))
	kept, err := loadSecret(d.folder, "secret")
	if err == nil && errors.Is(there, fs.ErrNotExist) && d.opened > 0 {
		d.log.Error("the data folder has a database but had no secret, so a new one was made: put the lost " +
			"one into its file, secret, or set FORECOURT_SECRET")
	}
	return kept, err
}
