package main

import "slices"

// A phase is a set of lanes that run side by side; the checks of a lane run one after the other.
type (
	phase []lane
	lane  []check
)

// plans maps a command's name to what it runs. The last phase of the whole run has the machine to itself, because a busy machine would
// distort what browsers measure.
func plans() map[string][]phase {
	var (
		golang = lane{one("gofmt", gofmt), one("golangci-lint", golangci)}
		faults = lane{
			check{"tests of the fault suite", goTestChaos},
			one("payments under faults", command("go", "-C", "tools/chaos", "run", ".", "load", "--program", "../../bin/forecourt",
				"--payments", "500", "--at-once", "64", "--kills", "2", "--database-kills", "1", "--cuts", "4", "--refunds", "30")),
		}
		scripts = lane{
			one("pins", pins),
			one("biome", command("node_modules/.bin/biome", "ci", "--colors=off", "--error-on-warnings", ".")),
			one("types", command("node_modules/.bin/tsc", "--noEmit")),
			one("types of browser tests", command("node_modules/.bin/tsc", "--noEmit", "--project", "e2e")),
		}
		ids     = one("requirement ids", traceIDs)
		code    = one("generated code", generated)
		units   = check{"go test", goTest}
		islands = check{"vitest", vitest}
		browser = check{"playwright", playwright}
	)
	return map[string][]phase{
		"lint":      {{golang, scripts}},
		"generated": {{lane{code}}},
		"": {
			// This is first and alone, because it writes files that the others read.
			{lane{code}},
			// The linters compute and the fault suite mostly waits, so both run beside the Go tests.
			{lane{units}, slices.Concat(golang, scripts, lane{ids, islands}, faults)},
			{lane{browser}},
		},
	}
}
