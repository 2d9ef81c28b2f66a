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

// settingGroup is what stands under one heading: settings, or the names of the values that one setting holds or leads to.
type settingGroup struct {
	title string
	names bool
	flags []*kong.Flag
}

// groupsOfSettings returns the settings by their groups.
func groupsOfSettings() (groups []settingGroup) {
	at := map[string]int{}
	for _, flag := range flagsOf(&settings{}) {
		title := flag.Group.Title
		if _, known := at[title]; !known {
			at[title] = len(groups)
			groups = append(groups, settingGroup{title: title})
		}
		group := &groups[at[title]]
		group.flags = append(group.flags, flag)
	}
	return groups
}

// allGroups returns the groups of settings and then those of names.
func allGroups() []settingGroup {
	return append(groupsOfSettings(),
		settingGroup{"Names in LIMITS", true, flagsOf(&app.Limits{})},
		settingGroup{"Names in PUSH_FILE", true, flagsOf(&push.Config{})},
		settingGroup{"Names in BRAND_FILE", true, flagsOf(&legal.Provider{})},
	)
}

// eachSetting visits the settings, group by group.
func eachSetting(visit func(flag *kong.Flag)) {
	for _, group := range groupsOfSettings() {
		for _, flag := range group.flags {
			visit(flag)
		}
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

// settingsHelp returns what serve --help says about settings.
func settingsHelp() string {
	var text strings.Builder
	text.WriteString("Settings are environment variables; none has to be set.\n")
	for _, group := range allGroups() {
		fmt.Fprintf(&text, "\n%s\n\n", group.title)
		for _, flag := range group.flags {
			fmt.Fprintf(&text, "  %s (%s)\n      %s\n", flag.Name, cmp.Or(flag.Default, flag.PlaceHolder), flag.Help)
		}
	}
	return text.String()
}

// setNames lists the settings that are set.
func setNames(getenv func(string) string) string {
	var names []string
	eachSetting(func(flag *kong.Flag) {
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
	eachSetting(func(flag *kong.Flag) {
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
