// Command dockerfile reads the Dockerfile on its input as docker build does, without Docker, and fails if it is wrong or if Docker would
// warn.
package main

import (
	"fmt"
	"os"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func main() {
	if err := check(); err != nil {
		fmt.Fprintln(os.Stderr, "Dockerfile:", err)
		os.Exit(1)
	}
}

func check() error {
	file, err := parser.Parse(os.Stdin)
	if err != nil {
		return err
	}
	var warning error
	rules := linter.New(&linter.Config{Warn: func(rule, _, _, detail string, _ []parser.Range) {
		warning = fmt.Errorf("%s: %s", rule, detail)
	}})
	if _, _, err := instructions.Parse(file.AST, rules); err != nil {
		return err
	}
	return warning
}
