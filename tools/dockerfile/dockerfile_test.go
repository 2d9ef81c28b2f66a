package dockerfile

import (
	"os"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// It reads the Dockerfile as docker build does, without Docker.
func TestDockerBuildsTheDockerfileWithoutAWarning(t *testing.T) {
	text, err := os.Open("../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	file, err := parser.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	rules := linter.New(&linter.Config{Warn: func(rule, _, _, detail string, _ []parser.Range) { t.Errorf("%s: %s", rule, detail) }})
	if _, _, err := instructions.Parse(file.AST, rules); err != nil {
		t.Error(err)
	}
}
