package main

import (
	"context"

	"forecourt/bridge"
)

// bridgeCommand is the terminal service, which is also a program of its own (cmd/bridge).
type bridgeCommand struct{ bridge.Command }

func (c bridgeCommand) Run(ctx context.Context, env environment) error {
	return c.Serve(ctx, env.stdout, env.stderr)
}
