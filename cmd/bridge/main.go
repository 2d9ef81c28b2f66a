// Command bridge is the terminal service alone, for the computer beside a till. A site offers it on /demo/bridge.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"forecourt/bridge"
)

func main() {
	var c bridge.Command
	line := kong.Parse(&c, kong.Description("The terminal service, for the computer beside a till."),
		kong.Vars{"bridge_origin": bridge.OriginHelp})
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	line.FatalIfErrorf(c.Serve(ctx, os.Stdout, os.Stderr))
}
