// Command forecourt is the whole product in one program: the web server, its database, its sandbox gateway and the
// commands that operators run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	// A core file would hold card numbers. A system that refuses the limit has none of its own either.
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// command is one subcommand. It declares its flags, then runs.
type command struct {
	name, usage, about string
	run                func(ctx context.Context, env environment, args []string) error
}

// environment is what a command may touch of the process it runs in.
type environment struct {
	getenv         func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
}

func commands() []command {
	return []command{
		{"serve", "serve [--check-config]", "run the web server; migrates first", serve},
		{"sandbox", "sandbox [--addr ADDRESS]", "run the gateway simulator alone", sandboxAlone},
		{"bridge", "bridge [--addr ADDRESS]", "run the terminal service on a merchant's own computer", runBridge},
		{"migrate", "migrate", "bring the database up to date", migrate},
		{"demo", "demo", "load the demo data; does no harm when it is there", loadDemo},
		{"merchant", "merchant paylink …", "make a link that somebody pays", merchant},
		{"shortlink", "shortlink create|list|expire", "keep the short links /s/CODE", shortlinks},
		{"doc", "doc put|get|list|rm", "keep long texts such as the terms", documents},
		{"payments", "payments [decide …]", "list or decide payments that wait for a person", listPayments},
		{"compliance", "compliance create|show", "make or show what a merchant has to sign and tell", manageCompliance},
		{"refund", "refund TRX [--amount 12.50]", "give a payment back", refund},
		{"form", "form list|show|decide", "look at forms that were handed in, and decide them", reviewForms},
		{"reconcile", "reconcile [--from DAY]", "compare the database with the gateway's ledger", reconcile},
		{"backup", "backup FILE", "copy the database inside to a file, while it is worked with", backup},
		{"restore", "restore FILE", "put such a copy into an empty data folder", restore},
		{"retention", "retention [--dry-run]", "delete drafts, images, sessions and audit months that are old enough", keep},
		{"invite", "invite create|list|revoke|reissue", "invite users to a bearer token", inviteUsers},
		{"user", "user add|list|password|…", "make and change accounts", users},
		{"version", "version", "print the version", version},
	}
}

// errUsage is wrong use, whose explanation has been printed.
var errUsage = errors.New("wrong use")

// run is the program: 0 when all went well, 2 for wrong use, 1 for a failure, which it says in one line on stderr.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	return environment{getenv: getenv, stdin: os.Stdin, stdout: stdout, stderr: stderr}.run(ctx, args)
}

func (env environment) run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		printUsage(env.stderr)
		return 2
	}
	if args[0] == "--help" || args[0] == "-h" || args[0] == "help" {
		printUsage(env.stdout)
		return 0
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return exitCode(c.run(ctx, env, args[1:]), env.stderr)
		}
	}
	fmt.Fprintf(env.stderr, "forecourt: there is no command %q; see forecourt --help\n", args[0])
	return 2
}

func exitCode(err error, stderr io.Writer) int {
	var setting *settingError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	case errors.As(err, &setting):
		fmt.Fprintln(stderr, "forecourt:", err)
		return 2
	default:
		// A database that cannot be reached is told of address by address.
		fmt.Fprintln(stderr, "forecourt:", strings.NewReplacer(":\n\t", ": ", "\n\t", "; ", "\n", "; ").Replace(err.Error()))
		return 1
	}
}

func printUsage(w io.Writer) {
	fmt.Fprint(w, "Forecourt, the web front end of a payments provider.\n\nUsage: forecourt COMMAND\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-28s %s\n", c.usage, c.about)
	}
	fmt.Fprint(w, "\nEach command has a --help. Settings are environment variables: see forecourt serve --help.\n")
}

// wrong explains wrong use of a command in one line.
func (env environment) wrong(command, problem string) error {
	fmt.Fprintf(env.stderr, "forecourt %s: %s\n", command, problem)
	return errUsage
}

// parse reads the flags of a command, which takes no other arguments.
func (env environment) parse(flags *flag.FlagSet, args []string, about string) error {
	flags.SetOutput(io.Discard)
	usage := func(w io.Writer) {
		fmt.Fprintf(w, "Usage: forecourt %s\n\n%s\n", flags.Name(), about)
		flags.SetOutput(w)
		flags.PrintDefaults()
	}
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(env.stdout)
		return err
	case err != nil:
		fmt.Fprintf(env.stderr, "forecourt %s: %v\n", flags.Name(), err)
		return errUsage
	case flags.NArg() > 0:
		fmt.Fprintf(env.stderr, "forecourt %s: it takes no argument %q\n", flags.Name(), flags.Arg(0))
		return errUsage
	}
	return nil
}
