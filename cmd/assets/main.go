// Command assets makes everything the program embeds that is not Go: pictures, scripts, styles and the PostgreSQL server.
// It runs at build time from the repository root.
package main

import (
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
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "assets takes no arguments, only --dev")
		os.Exit(2)
	}
	if err := run(*dev); err != nil {
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
	if err := packPostgres(modules, postgresPath); err != nil {
		return fmt.Errorf("PostgreSQL: %w", err)
	}
	return nil
}
