package main

import (
	"container/list"
	"crypto/tls"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"forecourt/handlers/web"
	"forecourt/internal/throttle"
)

const (
	// mostConnections is how many connections are open at once: 5,000 beside all event streams. An idle one takes up to 70 kB.
	mostConnections = 25_000
	// eachConnections is how many of them one network has, beside its event streams. A browser opens six over HTTP/1.1 and one over HTTP/2:
	// that is enough for the customers of a mobile operator who share an address, and too few to fill the server.
	eachConnections = 1_000
	// spareFiles is how many open files are left to the database, the gateway and the disk.
	spareFiles = 1_000
)

// connections holds the open connections of the public listeners, so that nobody can use up the memory and the files of the program. Beyond
// a limit, a new connection takes the place of the one that has waited longest for a request; if none waits, it is closed.
type connections struct {
	most, each int
	exempt     web.Proxies // are not limited by network: each connection carries many people
	full       func()      // says that there are as many as there may be

	mu       sync.Mutex
	open     int
	networks map[netip.Prefix]*peers
	waiting  list.List // the connections without a request, the one that waits longest first
}

// peers are the connections of one network.
type peers struct {
	open    int
	waiting list.List
}

// newConnections returns connections within the limits of the system. streams is how many event streams a network may have.
func newConnections(streams int, proxies web.Proxies, log *slog.Logger) (*connections, error) {
	var files unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		return nil, err
	}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	most := mostOf(files.Cur)
	a := &connections{
		most: most, each: min(eachConnections+streams, most/2), exempt: slices.Concat(proxies, loopback), networks: map[netip.Prefix]*peers{},
	}
	a.full = sync.OnceFunc(func() {
		log.Warn("connection limit reached: closing idle connections to admit new ones", "limit", most)
	})
	return a, nil
}

// mostOf returns how many connections there may be with so many open files.
func mostOf(files uint64) int {
	have := int(min(files, math.MaxInt32))
	return min(max(have-spareFiles, have/2), mostConnections)
}

// limit returns a listener whose connections count.
func (a *connections) limit(l net.Listener) net.Listener { return limited{l, a} }

type limited struct {
	net.Listener
	all *connections
}

// Accept implements net.Listener.
func (l limited) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		conn, ok := accepted.(*net.TCPConn)
		if !ok {
			return accepted, nil
		}
		if c := l.all.admit(conn); c != nil {
			return c, nil
		}
		_ = conn.Close()
	}
}

// connection is a connection that counts until it is closed.
type connection struct {
	*net.TCPConn
	all     *connections
	network netip.Prefix // zero if exempt
	peers   *peers
	gone    bool
	inAll   *list.Element // its place in the lists while it waits for a request, otherwise nil
	inPeers *list.Element
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.all.mu.Lock()
	c.all.remove(c)
	c.all.mu.Unlock()
	return c.TCPConn.Close()
}

// admit returns the connection if there is room for it, or nil.
func (a *connections) admit(conn *net.TCPConn) *connection {
	c := &connection{TCPConn: conn, all: a, network: a.networkOf(conn.RemoteAddr())}
	out, ok := a.add(c)
	if out != nil {
		_ = out.TCPConn.Close()
	}
	if !ok {
		return nil
	}
	return c
}

// add adds a connection. out is the one that gives up its place for it, or nil.
func (a *connections) add(c *connection) (out *connection, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.peers = a.networks[c.network]; c.peers == nil {
		c.peers = new(peers)
	}
	var from *list.List
	switch {
	case c.network.IsValid() && c.peers.open >= a.each:
		from = &c.peers.waiting
	case a.open >= a.most:
		from = &a.waiting
		a.full()
	}
	if from != nil {
		first := from.Front()
		if first == nil {
			return nil, false
		}
		out = first.Value.(*connection)
		a.remove(out)
	}
	a.networks[c.network] = c.peers
	a.open++
	c.peers.open++
	a.wait(c)
	return out, true
}

// remove removes a connection, once.
func (a *connections) remove(c *connection) {
	if c.gone {
		return
	}
	c.gone = true
	a.busy(c)
	a.open--
	if c.peers.open--; c.peers.open == 0 {
		delete(a.networks, c.network)
	}
}

// wait notes that a connection waits for a request.
func (a *connections) wait(c *connection) {
	if c.inAll == nil {
		c.inAll, c.inPeers = a.waiting.PushBack(c), c.peers.waiting.PushBack(c)
	}
}

// busy notes that a connection has a request, or is gone.
func (a *connections) busy(c *connection) {
	if c.inAll != nil {
		a.waiting.Remove(c.inAll)
		c.peers.waiting.Remove(c.inPeers)
		c.inAll, c.inPeers = nil, nil
	}
}

// note is the ConnState of a server with such a listener.
func (a *connections) note(conn net.Conn, state http.ConnState) {
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	c, ok := conn.(*connection)
	if !ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case c.gone:
	case state == http.StateIdle:
		a.wait(c)
	case state == http.StateActive, state == http.StateHijacked:
		a.busy(c)
	}
}

// networkOf returns the network that a connection counts for, or zero if it only counts in total.
func (a *connections) networkOf(end net.Addr) netip.Prefix {
	from, err := netip.ParseAddrPort(end.String())
	address := from.Addr().Unmap()
	if err != nil || slices.ContainsFunc(a.exempt, func(p netip.Prefix) bool { return p.Contains(address) }) {
		return netip.Prefix{}
	}
	return throttle.Network(address)
}
