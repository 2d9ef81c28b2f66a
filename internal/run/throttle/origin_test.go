package throttle_test

import (
	"net/netip"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/run/throttle"
)

func TestAddressesOfACustomerShareANetwork(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"203.0.113.9": "203.0.113.9/32", "::ffff:203.0.113.9": "203.0.113.9/32",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1::/48", "fe80::1%eth0": "fe80::/48",
	} {
		check.Equal(t, throttle.Network(netip.MustParseAddr(address)).String(), want, "Network(%s)", address)
	}
	if got := throttle.Network(netip.Addr{}); got.IsValid() {
		t.Errorf("the network of no address is %s", got)
	}
}
