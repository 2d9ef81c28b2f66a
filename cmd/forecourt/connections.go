package main

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"forecourt/handlers/web"
	"forecourt/internal/run/throttle"
)

const (
	mostConnections = 10_000 // at once, half of them for event streams
	eachConnections = 1_000  // of one network, beside its event streams: enough for a mobile operator's customers behind one address
)

// connections counts the open connections of the public servers, so that nobody uses up the program's memory and files.
type connections struct {
	most, each int
	exempt     web.Proxies // not limited by network: each connection carries many people

	mu       sync.Mutex
	open     int
	networks map[netip.Prefix]int
	idle     map[net.Conn]struct{} // those that wait for a request: their first, too, which may never come
}

// newConnections returns connections, at most half as many as there may be open files. streams is how many event streams a network may
// have.
func newConnections(streams int, proxies web.Proxies) (*connections, error) {
	var files unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		return nil, err
	}
	most := int(min(files.Cur/2, mostConnections))
	exempt := append(slices.Clone(proxies), netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"))
	return &connections{
		most: most, each: min(eachConnections+streams, most/2), exempt: exempt,
		networks: map[netip.Prefix]int{}, idle: map[net.Conn]struct{}{},
	}, nil
}

// note is the ConnState of a server. It closes a new connection of a network that has too many. When all places are taken, a new connection
// replaces an idle one, if there is any.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.idle, conn)
	switch network := c.networkOf(conn); state {
	case http.StateNew:
		c.open++
		c.networks[network]++
		out := conn
		switch {
		case network.IsValid() && c.networks[network] > c.each:
		case c.open > c.most:
			for out = range c.idle {
				break
			}
			delete(c.idle, out)
		default:
			out = nil
		}
		if out != conn {
			c.idle[conn] = struct{}{}
		}
		if out != nil {
			hangUp(out)
		}
	case http.StateIdle:
		c.idle[conn] = struct{}{}
	case http.StateClosed, http.StateHijacked:
		c.open--
		if c.networks[network]--; c.networks[network] == 0 {
			delete(c.networks, network)
		}
	}
}

// hangUp closes a connection without the farewell of TLS, which may have to wait. The server notices and reports StateClosed.
func hangUp(conn net.Conn) {
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	_ = conn.Close()
}

// networkOf returns the network that a connection counts for; it is invalid if only the limit for all applies.
func (c *connections) networkOf(conn net.Conn) netip.Prefix {
	from, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || c.exempt.Has(from.Addr().Unmap()) {
		return netip.Prefix{}
	}
	return throttle.Network(from.Addr())
}
