package embedded

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Attach returns the address of a database of the server that another program runs in a data folder, for commands beside
// a serving program. It is of use after Start said ErrLocked.
func Attach(dir, database string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	// PostgreSQL's own file says where it listens: the folder is its fifth line, the port its fourth.
	text, err := os.ReadFile(filepath.Join(dir, "cluster", "postmaster.pid"))
	if err != nil {
		return "", fmt.Errorf("the database in %s is not up yet: %w", dir, err)
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 5 {
		return "", fmt.Errorf("the database in %s is not up yet", dir)
	}
	port, err := strconv.Atoi(strings.TrimSpace(lines[3]))
	if err != nil {
		return "", fmt.Errorf("the database in %s is not up yet", dir)
	}
	s := &Server{socket: strings.TrimSpace(lines[4]), port: port}
	return s.DSN(database), nil
}
