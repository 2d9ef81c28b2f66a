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
	last := ""
	eachSetting(func(group string, flag *kong.Flag) {
		if group != last {
			fmt.Fprintf(&page, "\n## %s\n\n%s", group, settingsTable(func(other *kong.Flag) bool { return other.Group.Title == group }))
		}
		last = group
	})
	for _, g := range settingGroups {
		fmt.Fprintf(&page, "\n### Names in %s\n\n| name | default | |\n|---|---|---|\n", g.setting)
		for _, flag := range flagsOf(g.group) {
			page.WriteString(settingsRow(flag))
		}
	}
	return page.String()
}

// settingsTable lists the wanted settings.
func settingsTable(wanted func(*kong.Flag) bool) string {
	var table strings.Builder
	table.WriteString("| setting | default | |\n|---|---|---|\n")
	eachSetting(func(_ string, flag *kong.Flag) {
		if wanted(flag) {
			table.WriteString(settingsRow(flag))
		}
	})
	return table.String()
}

func settingsRow(flag *kong.Flag) string {
	unset := marked(flag.PlaceHolder)
	if flag.HasDefault {
		unset = "`" + flag.Default + "`"
	}
	return fmt.Sprintf("| `%s` | %s | %s |\n", flag.Name, unset, marked(flag.Help)+more(flag.Tag))
}

func envExample() string {
	var file strings.Builder
	file.WriteString("# Settings of Forecourt, written by make generate from " +
		"cmd/forecourt/settings.go. Take away the # before what you set.\n")
	last := ""
	eachSetting(func(group string, flag *kong.Flag) {
		if group != last {
			fmt.Fprintf(&file, "\n# --- %s\n", group)
		}
		last = group
		fmt.Fprintf(&file, "\n# %s", flag.Help)
		if !flag.HasDefault {
			fmt.Fprintf(&file, " (default: %s)", flag.PlaceHolder)
		}
		fmt.Fprintf(&file, "\n#%s=%s\n", flag.Name, flag.Default)
	})
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
