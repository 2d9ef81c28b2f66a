package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// verdict is what a vulnerability database says about the dependencies.
type verdict int

const (
	clean       verdict = iota // no vulnerability is known
	unreachable                // the database did not answer
	found                      // a vulnerability is known
)

// auditCodes are the exit codes of an audit. 2 means wrong use, as everywhere.
var auditCodes = map[verdict]int{clean: 0, found: 1, unreachable: 3}

// audit asks npm and Go's vulnerability database about the dependencies. It returns the exit code: 1 if a vulnerability is known, 3 if a
// database did not answer.
func audit(ctx context.Context, out io.Writer) int {
	worst := clean
	for _, asked := range []struct {
		name    string
		program []string
		read    func(output []byte, code int) verdict
	}{
		{"npm audit", []string{"npm", "audit", "--json"}, readNPMAudit},
		{"govulncheck", []string{".tools/govulncheck", "-test", "./..."}, readVulncheck},
	} {
		var said, problems bytes.Buffer
		cmd := start(ctx, &said, asked.program[0], asked.program[1:]...)
		cmd.Stderr = &problems
		err := cmd.Run()
		code := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			code = -1
			fmt.Fprintln(&problems, err)
		}
		v := asked.read(said.Bytes(), code)
		worst = max(worst, v)
		switch v {
		case clean:
			fmt.Fprintf(out, "%s: no vulnerability is known\n", asked.name)
		case unreachable:
			fmt.Fprintf(out, "%s: NOT ASKED, it could not reach its database:\n%s", asked.name, problems.Bytes())
		case found:
			fmt.Fprintf(out, "%s: FOUND\n%s%s", asked.name, said.Bytes(), problems.Bytes())
		}
	}
	return auditCodes[worst]
}

// readNPMAudit reads a report of npm audit --json, whose exit code is 1 both for an error and for something found.
func readNPMAudit(output []byte, code int) verdict {
	var report struct {
		Metadata *struct {
			Vulnerabilities struct{ Total int }
		}
	}
	if json.Unmarshal(output, &report) != nil || report.Metadata == nil {
		return unreachable
	}
	if report.Metadata.Vulnerabilities.Total > 0 || code != 0 {
		return found
	}
	return clean
}

// readVulncheck reads govulncheck's exit code: 3 means that it found a vulnerability, any other that it could not tell.
func readVulncheck(_ []byte, code int) verdict {
	switch code {
	case 0:
		return clean
	case 3:
		return found
	default:
		return unreachable
	}
}
