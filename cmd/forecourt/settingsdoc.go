package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"forecourt/app"
	"forecourt/internal/run/push"
	"forecourt/internal/site/legal"
)

// eachSetting visits the settings, group by group, with the title of the group.
func eachSetting(visit func(group string, flag *kong.Flag)) {
	flags, first := flagsOf(&settings{}), map[string]int{}
	for i, flag := range flags {
		if _, known := first[flag.Group.Title]; !known {
			first[flag.Group.Title] = i
		}
	}
	slices.SortStableFunc(flags, func(a, b *kong.Flag) int { return first[a.Group.Title] - first[b.Group.Title] })
	for _, flag := range flags {
		visit(flag.Group.Title, flag)
	}
}

// flagsOf returns the settings of a struct. What happens when one is unset is its placeholder.
func flagsOf(s any) []*kong.Flag {
	parser, err := settingsParser(s)
	if err != nil {
		panic(err) // a wrong tag, which every test would find
	}
	for _, flag := range parser.Model.Flags {
		if flag.Help = cmp.Or(flag.Help, settingTexts[flag.Name]); flag.Help == "" {
			panic(flag.Name + " has no text")
		}
		flag.PlaceHolder = cmp.Or(flag.Tag.Get("unset"), settingTexts[flag.Name+" unset"])
	}
	return parser.Model.Flags
}

// settingGroups are the groups of values that one setting each holds or names.
var settingGroups = []struct {
	setting string
	group   any
}{{"LIMITS", &app.Limits{}}, {"PUSH_FILE", &push.Config{}}, {"BRAND_FILE", &legal.Provider{}}}

// settingsHelp returns what serve --help says about settings.
func settingsHelp() string {
	var text strings.Builder
	text.WriteString("Settings are environment variables; none has to be set.\n")
	last := ""
	eachSetting(func(group string, flag *kong.Flag) {
		if group != last {
			fmt.Fprintf(&text, "\n%s\n\n", group)
		}
		last = group
		fmt.Fprint(&text, helpOf(flag))
	})
	for _, g := range settingGroups {
		fmt.Fprintf(&text, "\nNames in %s\n\n", g.setting)
		for _, flag := range flagsOf(g.group) {
			fmt.Fprint(&text, helpOf(flag))
		}
	}
	return text.String()
}

func helpOf(flag *kong.Flag) string {
	return fmt.Sprintf("  %s (%s)\n      %s\n", flag.Name, cmp.Or(flag.Default, flag.PlaceHolder), flag.Help)
}

// setNames lists the settings that are set.
func setNames(getenv func(string) string) string {
	var names []string
	eachSetting(func(_ string, flag *kong.Flag) {
		if getenv(flag.Name) != "" {
			names = append(names, flag.Name)
		}
	})
	return cmp.Or(strings.Join(names, " "), "nothing")
}

// unknownSettings lists the variables that begin like settings but are not. It skips those that OpenTelemetry's library reads.
func unknownSettings(environ func() []string) []string {
	if environ == nil {
		return nil
	}
	known, prefixes := map[string]bool{}, map[string]bool{}
	eachSetting(func(_ string, flag *kong.Flag) {
		known[flag.Name] = true
		if prefix, _, _ := strings.Cut(strings.TrimSuffix(flag.Name, "S"), "_"); prefix != "OTEL" {
			prefixes[prefix] = true // also LIMIT, which once began the names of limits
		}
	})
	var unknown []string
	for _, pair := range environ() {
		name, _, _ := strings.Cut(pair, "=")
		if prefix, _, some := strings.Cut(name, "_"); some && prefixes[prefix] && !known[name] {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown
}
