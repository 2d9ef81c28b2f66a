// Command assets makes everything besides Go code that the program embeds: pictures, scripts, styles and the PostgreSQL server. It runs at
// build time from the repository root.
package main

import (
	"flag"
	"fmt"
	"os"
)

const distPath = "static/dist"

func main() {
	dev := flag.Bool("dev", false, "readable scripts with source maps, nothing compressed")
	postgres := flag.String("postgres", "", "pack the PostgreSQL in this npm `folder`, and make nothing else")
	to := flag.String("postgres-to", "", "the `file` for it")
	flag.Parse()
	if flag.NArg() > 0 || (*postgres == "") != (*to == "") {
		fmt.Fprintln(os.Stderr, "assets takes --dev, or --postgres and --postgres-to")
		os.Exit(2)
	}
	var err error
	if *postgres != "" {
		err = packPostgres(*postgres, *to)
	} else {
		err = run(*dev)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

func run(dev bool) error {
	if err := bundle("static", distPath, dev); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return nil
}
