package main

import (
	"fmt"
	"runtime/debug"
)

// versionCommand prints what was built.
type versionCommand struct{}

// Run prints it.
func (versionCommand) Run(env environment) error {
	text := "development"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		text = info.Main.Version
	}
	_, err := fmt.Fprintln(env.stdout, "forecourt", text)
	return err
}
