// Command server runs the PostgreSQL that the tests of several packages share. It prints the value of the environment variable
// dbtest.Shared and ends when its input does.
package main

import (
	"fmt"
	"os"

	"forecourt/internal/dbtest"
)

func main() {
	if err := dbtest.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dbtest:", err)
		os.Exit(1)
	}
}
