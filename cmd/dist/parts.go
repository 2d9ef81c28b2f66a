package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// partsSuffix follows the program's name in the name of its list of parts.
const partsSuffix = ".cdx.json"

// bill is a list of parts in the form of CycloneDX 1.6. It has neither a time nor a serial number, which would differ from
// build to build.
type bill struct {
	Format      string `json:"bomFormat"`
	SpecVersion string `json:"specVersion"`
	Version     int    `json:"version"`
	Metadata    struct {
		Component part `json:"component"`
	} `json:"metadata"`
	Components []part `json:"components"`
}

type part struct {
	Type     string    `json:"type"`
	Name     string    `json:"name"`
	Version  string    `json:"version,omitempty"`
	PURL     string    `json:"purl,omitempty"`
	Licenses []license `json:"licenses,omitempty"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

// icons is the npm package that the icons in the program's sources come from. What else is in the program is a dependency.
const icons = "lucide-static"

// writeParts lists the parts of a program, according to its own build record and npm's lock file.
func writeParts(machine, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	list := bill{Format: "CycloneDX", SpecVersion: "1.6", Version: 1}
	list.Metadata.Component = part{Type: "application", Name: "forecourt-linux-" + machine}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	list.Components = append(list.Components, part{Type: "library", Name: "std", Version: goVersion, PURL: "pkg:golang/std@" + goVersion})
	for _, m := range info.Deps {
		list.Components = append(list.Components, part{
			Type: "library", Name: m.Path, Version: m.Version, PURL: fmt.Sprintf("pkg:golang/%s@%s", m.Path, m.Version),
		})
	}
	scripts, err := npmParts(machine)
	if err != nil {
		return err
	}
	list.Components = append(list.Components, scripts...)
	slices.SortFunc(list.Components, func(a, b part) int { return cmp.Compare(a.PURL, b.PURL) })
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(program+partsSuffix, append(text, '\n'), 0o600)
}

// npmParts lists the program's parts that come from npm: scripts for browsers, pictures, and PostgreSQL.
func npmParts(machine string) ([]part, error) {
	text, err := os.ReadFile("package-lock.json")
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	var parts []part
	for place, p := range lock.Packages {
		name := strings.TrimPrefix(place, "node_modules/")
		postgres := name == postgresHere
		if place == "" || p.Dev && name != icons {
			continue
		}
		if postgres && machine == "arm64" {
			name = postgresThere
		}
		// In a package URL, a scope's @ would end the name.
		url := "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version
		entry := part{Type: "library", Name: path.Clean(name), Version: p.Version, PURL: url}
		if p.License != "" {
			var l license
			l.License.ID = p.License
			entry.Licenses = []license{l}
		}
		parts = append(parts, entry)
	}
	return parts, nil
}
