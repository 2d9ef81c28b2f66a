package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"forecourt/internal/kit/check"
)

// update is set by make generate. The test then writes the files that it otherwise compares.
var update = flag.Bool("update", false, "write the tables of commands and settings")

func TestTablesOfCommandsAndSettingsFollowTheSources(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]func(old string) string{
		"../../docs/settings.md": func(string) string { return settingsPage() },
		"../../.env.example":     func(string) string { return envExample() },
		"../../docs/commands.md": func(old string) string {
			return between(t, old, "commands", commandTable())
		},
	} {
		old, err := os.ReadFile(file)
		if err != nil && !*update {
			t.Fatal(err)
		}
		made := want(string(old))
		if made == string(old) {
			continue
		}
		if !*update {
			t.Errorf("%s differs from the sources: run make generate", filepath.Base(file))
			continue
		}
		check.Must(t, os.WriteFile(file, []byte(made), 0o644))
	}
}

// between puts a table between the two comments of a name.
func between(t *testing.T, page, name, table string) string {
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	head, rest, found := strings.Cut(page, begin)
	_, tail, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("the page has no place for %s", name)
	}
	return head + begin + table + end + tail
}

func commandTable() string {
	parser, err := newParser()
	if err != nil {
		panic(err)
	}
	var table strings.Builder
	table.WriteString("| command | does |\n|---|---|\n")
	for _, command := range parser.Model.Children {
		name := "forecourt " + command.Name
		for i, child := range command.Children {
			name += map[bool]string{true: " ", false: "\\|"}[i == 0] + child.Name
		}
		fmt.Fprintf(&table, "| `%s` | %s |\n", name, marked(command.Help)+more(command.Tag))
	}
	return table.String()
}

func settingsPage() string {
	var page strings.Builder
	page.WriteString("# Settings\n\nSettings are environment variables; none has to be set. " +
		"`forecourt doctor --offline` checks yours. This page is written by\n" +
		"`make generate` from `cmd/forecourt/settings.go`; [.env.example](../.env.example) has the same to copy.\n")
	for _, group := range allGroups() {
		fmt.Fprintf(&page, "\n%s %s\n\n", either(group.names, "###", "##"), group.title)
		fmt.Fprintf(&page, "| %s | default | |\n|---|---|---|\n", either(group.names, "name", "setting"))
		for _, flag := range group.flags {
			unset := either(flag.HasDefault, "`"+flag.Default+"`", marked(flag.PlaceHolder))
			fmt.Fprintf(&page, "| `%s` | %s | %s |\n", flag.Name, unset, marked(flag.Help)+more(flag.Tag))
		}
	}
	return page.String()
}

func envExample() string {
	var file strings.Builder
	file.WriteString("# Settings of Forecourt, written by make generate from " +
		"cmd/forecourt/settings.go. Take away the # before what you set.\n")
	for _, group := range groupsOfSettings() {
		fmt.Fprintf(&file, "\n# --- %s\n", group.title)
		for _, flag := range group.flags {
			fmt.Fprintf(&file, "\n# %s", flag.Help)
			if !flag.HasDefault {
				fmt.Fprintf(&file, " (default: %s)", flag.PlaceHolder)
			}
			fmt.Fprintf(&file, "\n#%s=%s\n", flag.Name, flag.Default)
		}
	}
	return file.String()
}

// code matches words to set in a fixed-width font: names of settings and flags, paths and addresses.
var code = regexp.MustCompile(`(^|[ (])([A-Z]+_[A-Z_]+|--[a-z-]+|[a-z]*:?\.?/[^ ;,)]*[^ ;,.):]|OTEL_\*)`)

func marked(text string) string { return code.ReplaceAllString(text, "$1`$2`") }

func more(tag *kong.Tag) string {
	page := tag.Get("see")
	if page == "" {
		return ""
	}
	return " ([more](" + page + "))"
}
