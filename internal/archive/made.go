package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// madeFile lists, in the data folder, the copies of the whole database that were made from this folder, one name a line and the oldest first.
// Only these count, because anybody with write access to the archive can add others. Without the list the next copy is due at once.
const madeFile = "archived-copies"

// Made returns the names of the copies that were made from a data folder, the oldest first.
func Made(data string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(data, madeFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return strings.Fields(string(text)), nil
}

// writeMade replaces the list whole.
func writeMade(data string, names []string) error {
	half := filepath.Join(data, spoolPrefix+"made")
	err := os.WriteFile(half, []byte(strings.Join(names, "\n")+"\n"), 0o600)
	if err != nil {
		return err
	}
	return os.Rename(half, filepath.Join(data, madeFile))
}
