package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
)

// raced lists the packages of the program that start goroutines. Their tests run with the race detector, which doubles their time and needs a
// second build of everything they import. make test-long uses it for all packages, including our own tools.
var raced = []string{
	"cmd/forecourt",
	"db/embedded",
	"handlers/web",
	"internal/archive",
	"internal/certificate",
	"internal/live",
	"internal/payment",
	"internal/shortlink",
}

const (
	mainPackage = "./cmd/forecourt"

	// commands matches the tests of the main package that start one program after another, which takes four times as long under the race
	// detector. They get it in make test-long only.
	commands = "Archive|Backup|CardData|Command|Doctor|Erased|Invit|Operator|Release|Restore|Root|Secret"
)

// byRace returns the import paths of the packages that start goroutines, and those of the others, without the main package. packages are
// patterns of go list.
func byRace(ctx context.Context, packages ...string) (with, without []string, err error) {
	var list, problems bytes.Buffer
	cmd := start(ctx, &list, "go", append([]string{"list"}, packages...)...)
	cmd.Stderr = &problems
	if err := cmd.Run(); err != nil {
		return nil, nil, fmt.Errorf("go list: %w: %s", err, problems.String())
	}
	for path := range strings.FieldsSeq(list.String()) {
		_, folder, _ := strings.Cut(path, "/")
		switch {
		case "./"+folder == mainPackage:
		case slices.Contains(raced, folder):
			with = append(with, path)
		default:
			without = append(without, path)
		}
	}
	return with, without, nil
}
