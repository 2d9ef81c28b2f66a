// Command chaos shows that payments keep their promises while everything around them breaks. It drives the real program, killed
// and cut off again and again, and compares the gateway's ledger with the database afterwards. Exit code 1 means that a
// promise was broken.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `Usage: chaos [load|drill|crashes|all|mutants|rules] [flags]

load      many payers at once while the program, PostgreSQL, the network and the gateway fail, and the drill
drill     a backup is restored that knows less than the gateway does
crashes   the program dies at each step of a payment in turn
all       load and crashes
mutants   programs with a known mistake, each of which load has to catch
rules     rules of accounts with a known mistake, each of which a test has to catch

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// errBroken means that a promise was broken. The report has already been printed.
var errBroken = errors.New("a promise was broken")

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	command := "load"
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		command, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	o := options{out: stdout}
	flags.StringVar(&o.root, "root", "../..", "`folder` of the program's source")
	flags.StringVar(&o.program, "program", "", "the `binary` to test; built from the source when not given (load, all)")
	flags.StringVar(&o.keep, "keep", "", "`folder` that logs and databases are left in")
	flags.StringVar(&o.only, "only", "", "a part of the `name` of the crash points, mutants or rules to run")
	flags.IntVar(&o.payments, "payments", 10000, "how many payments (load, all)")
	flags.IntVar(&o.atOnce, "at-once", 64, "how many payers at once (load, all)")
	flags.IntVar(&o.kills, "kills", 20, "how often the program is killed (load, all)")
	flags.IntVar(&o.databaseKills, "database-kills", 5, "how often PostgreSQL is killed (load, all)")
	flags.IntVar(&o.refunds, "refunds", 200, "how many of the payments are given back (load, all)")
	flags.BoolVar(&o.letters, "letters", false, "send and count the letters, too, which takes minutes longer (load, all)")
	flags.IntVar(&o.cuts, "cuts", 25, "how often the network is cut (load, all)")
	flags.Uint64Var(&o.seed, "seed", 0, "repeats a run's choices; random when 0")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	commands := map[string]func(context.Context, options) error{"load": load, "drill": drillAlone, "crashes": crashes, "all": all, "mutants": mutants, "rules": rules}
	do, known := commands[command]
	if !known || flags.NArg() > 0 {
		flags.Usage()
		return 2
	}
	switch err := do(ctx, o); {
	case err == nil:
		return 0
	case errors.Is(err, errBroken):
		return 1
	default:
		fmt.Fprintln(stderr, "chaos:", err)
		return 1
	}
}
