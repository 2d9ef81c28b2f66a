package throttle

import "net/netip"

// Network is what one visitor is counted by: the address, or for IPv6 the /64 that a household gets. The zero address gives
// the zero prefix.
func Network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := 64
	if a.Is4() {
		bits = 32
	}
	prefix, _ := a.Prefix(bits) // an error only of no address
	return prefix
}
