package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scriptID marks the places in the script for the id that pgbench draws for each order.
const scriptID = "an id of its own"

// findPgbench returns the path of PostgreSQL's own load program, or "" if there is none.
func findPgbench() string {
	if path, err := exec.LookPath("pgbench"); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench") // the pattern is valid
	if len(found) == 0 {
		return ""
	}
	return slices.Max(found)
}

// pgbench stores orders for a given time, 16 at once with prepared statements, and returns the rate per second.
func pgbench(ctx context.Context, program, dsn, script string, duration time.Duration) (float64, error) {
	cmd := exec.CommandContext(ctx, program, "--no-vacuum", "--protocol=prepared", "--jobs=2",
		fmt.Sprintf("--client=%d", connections), fmt.Sprintf("--time=%.0f", duration.Seconds()), "--file="+script, dsn)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w: %s", err, &said)
	}
	return parseTPS(string(out))
}

var (
	tpsLine    = regexp.MustCompile(`(?m)^tps = ([0-9.]+) `)
	failedLine = regexp.MustCompile(`(?m)^number of failed transactions: ([0-9]+)`)
)

func parseTPS(out string) (float64, error) {
	if failed := failedLine.FindStringSubmatch(out); failed != nil && failed[1] != "0" {
		return 0, fmt.Errorf("pgbench: %s transactions failed", failed[1])
	}
	tps := tpsLine.FindStringSubmatch(out)
	if tps == nil {
		return 0, errors.New("pgbench prints no tps")
	}
	return strconv.ParseFloat(tps[1], 64)
}

// writeScript writes the statements in pgbench's form.
func writeScript(name string, statements []statement) error {
	text := strings.Builder{}
	text.WriteString("\\set n random(1, 9223372036854775806)\n")
	for _, s := range statements {
		text.WriteString(s.script() + ";\n")
	}
	return os.WriteFile(name, []byte(text.String()), 0o600)
}

var parameter = regexp.MustCompile(`\$[0-9]+`)

// script returns the statement on one line with every value but the id written out.
func (s statement) script() string {
	text := parameter.ReplaceAllStringFunc(s.text, func(name string) string {
		n, _ := strconv.Atoi(name[1:]) // digits only
		return literal(s.values[n-1])
	})
	return strings.Join(strings.Fields(text), " ")
}

func literal(value any) string {
	switch v := value.(type) {
	case string:
		if v == scriptID {
			return "lpad(:n::text, 26, '0')"
		}
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case []byte:
		return fmt.Sprintf(`'\x%x'`, v)
	case []int64:
		return "'{" + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(v)), ","), "[]") + "}'"
	default:
		return fmt.Sprint(v)
	}
}
