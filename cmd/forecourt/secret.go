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
)

// loadSecret returns the secret in the data folder, and makes it the first time. A kill leaves no half-written file, because a file gets
// its name only once it is complete.
func loadSecret(data string) (string, error) {
	path := filepath.Join(data, "secret")
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
	half := path + ".new"
	if err := os.WriteFile(half, []byte(secret+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("secret: %w", err)
	}
	return secret, os.Rename(half, path)
}
