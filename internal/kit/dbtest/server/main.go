// Command server runs the PostgreSQL that the tests of several packages share, and beside it the command in its arguments.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"forecourt/internal/kit/dbtest"
)

func main() {
	err := dbtest.Serve(func(address string) error {
		cmd := exec.CommandContext(context.Background(), os.Args[1], os.Args[2:]...) //nolint:gosec // the command is the caller's
		cmd.Env = append(os.Environ(), dbtest.Shared+"="+address)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "dbtest:", err)
		os.Exit(1)
	}
}
