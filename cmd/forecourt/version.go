package main

import "fmt"

// version is the commit that the program was built from; the build sets it.
var version = "development"

// versionCommand prints the version.
type versionCommand struct{}

// Run prints it.
func (versionCommand) Run(env environment) error {
	_, err := fmt.Fprintln(env.stdout, "forecourt", version)
	return err
}
