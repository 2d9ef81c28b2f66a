package throttle

import (
	"context"
	"net/netip"
)

// Network returns the network that counts as one visitor: the address itself, or for IPv6 the /48 that is the most a provider usually gives
// one customer. Every limit counts by it. The zero address gives the zero prefix.
func Network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := 48
	if a.Is4() {
		bits = 32
	}
	prefix, _ := a.Prefix(bits) // fails only for the zero address
	return prefix
}

// Who is somebody whom a limit counts. Whoever is known counts for themselves, so that nobody behind the same address holds them up; all
// others of a network count together.
type Who struct {
	known   string
	network netip.Prefix
}

// Known returns somebody who is known, by what identifies them: an account, a business, or an order that was paid. The caller has checked
// it without a place: by a signed cookie or a session.
func Known(what string) Who { return Who{known: what} }

// From returns whoever an address belongs to.
func From(a netip.Addr) Who { return Who{network: Network(a)} }

type whoKey struct{}

// As returns a context of work for somebody, in whose lines it waits.
func As(ctx context.Context, who ...Who) context.Context {
	return context.WithValue(ctx, whoKey{}, who)
}

// Whose returns for whom ctx is; ok is false for what this machine does itself, which counts as a network of its own.
func Whose(ctx context.Context) (who []Who, ok bool) {
	if who, ok = ctx.Value(whoKey{}).([]Who); !ok {
		who = []Who{{}}
	}
	return who, ok
}
