// Command assets makes everything besides Go code that the program embeds: pictures, scripts, styles and the PostgreSQL server. It runs at
// build time from the repository root.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
)

const (
	modules      = "node_modules"
	picturesPath = "static/img"
	distPath     = "static/dist"
	postgresPath = "db/embedded/dist/postgres.tar.zst"
)

func main() {
	dev := flag.Bool("dev", false, "readable scripts with source maps, nothing compressed")
	postgres := flag.String("postgres", installedPostgres(modules), "npm `folder` of the PostgreSQL to pack, instead of the installed one")
	to := flag.String("postgres-to", "", "pack that PostgreSQL into this `file` and make nothing else")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "assets takes no arguments, only flags")
		os.Exit(2)
	}
	err := packPostgres(*postgres, cmp.Or(*to, postgresPath), "cmd/assets/postgres.go")
	if err == nil && *to == "" {
		err = run(*dev)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

func run(dev bool) error {
	if err := pictures(modules, picturesPath); err != nil {
		return fmt.Errorf("pictures: %w", err)
	}
	if err := bundle("static", distPath, dev); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return nil
}
