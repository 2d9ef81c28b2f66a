// Command check runs every check of the repository and adds up the runners' results. `make test` calls it once everything is built and
// installed.
//
//	check            everything; the last line is "N passed, N failed"
//	check lint       formatting, linters, types
//	check generated  generated code matches its sources
//	check trace      which requirements tests name
//	check audit      known vulnerabilities of the dependencies; exit code 1 if one is known, 3 without an answer
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run returns the exit code: 0 if everything passed, 1 if something failed, 2 for wrong use, 3 if a database did not answer an audit.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	if name == "trace" && len(args) == 1 {
		return printTrace(".", stdout, stderr)
	}
	if name == "audit" && len(args) == 1 {
		return audit(ctx, stdout)
	}
	phases, ok := plans()[name]
	if !ok || len(args) > 1 {
		fmt.Fprintln(stderr, "usage: check [lint | generated | trace | audit]")
		return 2
	}
	remove, err := inMemory()
	defer remove()
	if err != nil {
		fmt.Fprintln(stderr, "check:", err)
		return 1
	}
	total := runPhases(ctx, phases, stdout)
	total.print(stdout)
	if total.failed > 0 {
		return 1
	}
	return 0
}
