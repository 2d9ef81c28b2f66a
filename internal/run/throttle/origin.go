package throttle

import "net/netip"

// Network returns the network that counts as one visitor: the address itself, or for IPv6 the /64 that a household gets. The zero
// address gives the zero prefix.
func Network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := 64
	if a.Is4() {
		bits = 32
	}
	prefix, _ := a.Prefix(bits) // fails only for the zero address
	return prefix
}
