package embedded

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Attach returns the address of a database of the server that another program runs in a data folder. It is meant for commands that
// run beside a serving program, after Start has returned ErrLocked.
func Attach(dir, database string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	// PostgreSQL's pid file says where it listens: the folder is on its fifth line.
	text, err := os.ReadFile(filepath.Join(dir, clusterFolder, "postmaster.pid"))
	if err != nil {
		return "", fmt.Errorf("the database in %s is not up yet: %w", dir, err)
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 5 {
		return "", fmt.Errorf("the database in %s is not up yet", dir)
	}
	return address(strings.TrimSpace(lines[4]), database), nil
}

// ForApp returns an address that DSN or Attach returned, for AppRole.
func ForApp(dsn string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return "", err
	}
	u.User = url.User(AppRole)
	return u.String(), nil
}
