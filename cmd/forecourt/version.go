package main

import "fmt"

// version is the commit that the program was built from; the build sets it.
var version = "development"

type versionCommand struct{}

func (versionCommand) Run(env environment) error {
	_, err := fmt.Fprintln(env.stdout, "forecourt", version)
	return err
}
