package embedded

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

// killRounds returns how many data folders have their first boot killed; FORECOURT_KILL_ROUNDS raises the number for long runs.
func killRounds(t *testing.T) int {
	t.Helper()
	given := os.Getenv("FORECOURT_KILL_ROUNDS")
	if given == "" {
		return 2
	}
	rounds, err := strconv.Atoi(given)
	check.Must(t, err)
	return rounds
}

func TestProgramKilledDuringFirstBoot(t *testing.T) {
	t.Parallel()
	for round := range killRounds(t) {
		dir := newFolder(t)
		for range 3 {
			at := rand.N(1200 * time.Millisecond)
			program, ready := startProgram(t, dir)
			select {
			case up := <-ready:
				if !up {
					t.Fatalf("round %d: the program did not start after a kill", round)
				}
			case <-time.After(at):
			}
			kill(t, program)
			t.Logf("round %d: killed after %s", round, at)
		}
		s := startServer(t, Options{Dir: dir})
		wantAnswer(t, s.DSN(Database), "SELECT current_database()", Database)
		stopServer(t, s)
		wantFolderEntries(t, dir, "cluster", "lock", "postgres.log", "run")
	}
}

func TestProgramKilledWhileServing(t *testing.T) {
	t.Parallel()
	dir := newFolder(t)
	dsn := address(filepath.Join(dir, "run"), Database)
	program, ready := startProgram(t, dir)
	if !<-ready {
		t.Fatal("the program did not start")
	}
	execute(t, dsn, "CREATE TABLE kept AS SELECT 'committed' AS note")
	kill(t, program)

	s := startServer(t, Options{Dir: dir}) // finds a postgres that is still shutting down
	wantAnswer(t, s.DSN(Database), "SELECT note FROM kept", "committed")
	stopServer(t, s)

	t.Run("the server shuts down cleanly without its program", func(t *testing.T) {
		before := len(readLog(t, dir))
		program, ready := startProgram(t, dir)
		if !<-ready {
			t.Fatal("the program did not start")
		}
		if left, err := serversBelow(dir); err != nil || len(left) == 0 {
			t.Fatalf("found no server: %v", err)
		}
		kill(t, program)
		wantNoServerSoon(t, dir)
		stopServer(t, startServer(t, Options{Dir: dir})) // its log is complete once it has stopped
		if log := readLog(t, dir)[before:]; strings.Contains(log, "interrupted") || strings.Count(log, "was shut down at") != 2 {
			t.Errorf("the server did not shut down cleanly:\n%s", log)
		}
	})
}

func wantNoServerSoon(t *testing.T, dir string) {
	t.Helper()
	soon(t, func() error {
		left, err := serversBelow(dir)
		check.Must(t, err)
		if len(left) > 0 {
			return fmt.Errorf("processes %v are still running", left)
		}
		return nil
	})
}
