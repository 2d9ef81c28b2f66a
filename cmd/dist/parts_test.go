package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestOnlyWhatIsInTheProgramIsListed(t *testing.T) {
	t.Chdir("../..")
	for machine, postgres := range map[string]string{"amd64": postgresHere, "arm64": postgresThere} {
		parts, err := npmParts(machine)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range parts {
			names = append(names, p.Name)
			if p.Version == "" || !strings.HasPrefix(p.PURL, "pkg:npm/") || strings.Count(p.PURL, "@") != 1 {
				t.Errorf("%+v", p)
			}
		}
		for _, want := range []string{"react", "react-dom", "htmx.org", postgres, "@iconify-json/fluent-emoji", "@iconify-json/fluent-emoji-flat", icons} {
			if !slices.Contains(names, want) {
				t.Errorf("%s: %s is missing from %v", machine, want, names)
			}
		}
		for _, none := range []string{"@playwright/test", "typescript", "vitest"} {
			if slices.Contains(names, none) {
				t.Errorf("%s: %s is not in the program", machine, none)
			}
		}
	}
}

func TestBothMachinesGetTheSamePostgreSQL(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	var wanted struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &wanted); err != nil {
		t.Fatal(err)
	}
	if got := wanted.Dependencies[postgresHere]; got != fetchedVersion {
		t.Errorf("package.json has %s %s; set fetchedVersion and fetchedChecksum in postgres.go, too", postgresHere, got)
	}
}
