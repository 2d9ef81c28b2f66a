package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// eachSetting visits the settings in their order, with the title of their group.
func eachSetting(visit func(group string, flag *kong.Flag)) {
	parser, err := settingsParser(&settings{})
	if err != nil {
		panic(err) // a tag that cannot be; every test meets it
	}
	for _, flag := range parser.Model.Flags {
		visit(flag.Group.Title, flag)
	}
}

// settingsHelp is what serve --help says of settings.
func settingsHelp() string {
	var text strings.Builder
	text.WriteString("Settings are environment variables; nothing has to be set.\n")
	last := ""
	eachSetting(func(group string, flag *kong.Flag) {
		if group != last {
			fmt.Fprintf(&text, "\n%s\n\n", group)
		}
		last = group
		fmt.Fprintf(&text, "  %s (%s)\n      %s\n", flag.Name, or(flag.Default, flag.Tag.Get("unset")), flag.Help)
	})
	return text.String()
}
