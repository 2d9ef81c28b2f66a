package main

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"forecourt/app/apptest"
	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// door is a server with few connections. /busy answers once released is closed.
type door struct {
	*testing.T
	all      *connections
	server   *httptest.Server
	reached  chan struct{} // gets a value from each request that stays
	released chan struct{}
}

func newDoor(t *testing.T, most, each int, exempt ...netip.Prefix) *door {
	t.Helper()
	d := &door{T: t, reached: make(chan struct{}), released: make(chan struct{}), all: &connections{
		most: most, each: each, exempt: exempt, networks: map[netip.Prefix]int{}, idle: map[net.Conn]struct{}{},
	}}
	d.server = httptest.NewUnstartedServer(nil)
	d.server.Config = newWeb(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/busy" {
			d.reached <- struct{}{}
			<-d.released
		}
	}), slog.New(slog.DiscardHandler))
	// A busy machine may need longer than a sender has.
	d.server.Config.ReadHeaderTimeout, d.server.Config.ReadTimeout, d.server.Config.IdleTimeout = 0, 0, 0
	d.server.Config.ConnState = d.all.note
	t.Cleanup(func() { d.server.Close() })
	return d
}

// caller is a connection to a door.
type caller struct {
	*door
	net.Conn
}

// dial connects from an address of this machine.
func (d *door) dial(from string) caller {
	d.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(d.Context(), "tcp", d.server.Listener.Addr().String())
	check.Must(d, err)
	d.Cleanup(func() { _ = conn.Close() })
	return caller{d, conn}
}

// asks sends a request, and waits until it is answered and the connection idle or, if it stays, has reached its handler.
func (c caller) asks(path string) {
	c.Helper()
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		c.Error(err)
	}
	if path == "/busy" {
		<-c.reached
		return
	}
	if answer := make([]byte, 4096); !c.reads(answer) || string(answer[:15]) != "HTTP/1.1 200 OK" {
		c.Errorf("no answer: %.60q", answer)
	}
	c.waits()
}

// waits waits until the connection counts as idle.
func (c caller) waits() {
	c.Helper()
	apptest.Eventually(c, "an idle connection", func() bool {
		c.all.mu.Lock()
		defer c.all.mu.Unlock()
		for idle := range c.all.idle {
			if idle.RemoteAddr().String() == c.LocalAddr().String() {
				return true
			}
		}
		return false
	})
}

// closed waits until the server closes the connection.
func (c caller) closed() {
	c.Helper()
	if left := make([]byte, 1); c.reads(left) {
		c.Errorf("the connection is open: %q", left)
	}
}

func (c caller) reads(into []byte) bool {
	n, _ := c.Read(into)
	return n > 0
}

func (d *door) idle() int {
	d.all.mu.Lock()
	defer d.all.mu.Unlock()
	return len(d.all.idle)
}

func (d *door) empty() bool {
	d.all.mu.Lock()
	defer d.all.mu.Unlock()
	return d.all.open == 0 && len(d.all.networks) == 0 && len(d.all.idle) == 0
}

const one, two, three = "127.0.0.1", "127.0.0.2", "127.0.0.3"

func TestAFullNetworkGetsNoFurtherConnection(t *testing.T) {
	t.Parallel()
	d := newDoor(t, 100, 2, netip.MustParsePrefix(three+"/32"))
	d.server.Start()
	first, second := d.dial(one), d.dial(one)
	first.asks("/")
	second.asks("/")
	d.dial(one).closed()
	d.dial(two).asks("/")
	for range 3 {
		d.dial(three).asks("/") // of a network that is exempt
	}
	_ = first.Close()
	apptest.Eventually(t, "a place", func() bool {
		next := d.dial(one)
		_, _ = io.WriteString(next, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		return next.reads(make([]byte, 4096))
	})
	second.asks("/")
}

func TestAFullServerGivesUpAnIdleConnectionButNoBusyOne(t *testing.T) {
	t.Parallel()
	d := newDoor(t, 2, 2)
	d.server.Start()
	busy, idle := d.dial(one), d.dial(two)
	busy.asks("/busy")
	idle.asks("/")
	next := d.dial(three)
	next.asks("/busy")
	idle.closed()
	d.dial(two).closed() // because the others are busy
	close(d.released)
	for _, c := range []caller{busy, next} {
		if !c.reads(make([]byte, 4096)) {
			t.Error("a busy connection was closed")
		}
	}
	d.server.Close()
	apptest.Eventually(t, "every connection is counted off", d.empty)
}

func TestConnectionsThatSayNothingGiveUpTheirPlaces(t *testing.T) {
	t.Parallel()
	d := newDoor(t, 2, 2)
	d.server.Start()
	d.dial(one).waits()
	d.dial(one).waits()
	d.dial(two).asks("/")
}

func TestEncryptedConnectionsCount(t *testing.T) {
	t.Parallel()
	for _, version := range []int{1, 2} {
		d := newDoor(t, 1, 1)
		d.server.EnableHTTP2 = version == 2
		d.server.StartTLS()
		done := make(chan *http.Response)
		go func() {
			res, err := d.server.Client().Get(d.server.URL + "/busy")
			check.NoError(t, err)
			done <- res
		}()
		<-d.reached
		d.dial(two).closed() // because the other one is busy
		close(d.released)
		if res := <-done; res != nil {
			_ = res.Body.Close()
			check.Equal(t, res.ProtoMajor, version, "proto major")
		}
		apptest.Eventually(t, "the connection is idle", func() bool { return d.idle() == 1 })
		d.dial(three).waits() // in its place
	}
}

func TestProxiesAndThisMachineAreNotLimitedByNetwork(t *testing.T) {
	t.Parallel()
	all, err := newConnections(40, web.Proxies{netip.MustParsePrefix("10.0.0.0/8")})
	check.Must(t, err)
	check.Equal(t, all.each, 1_040, "… of a network")
	for from, want := range map[string]string{
		"192.0.2.1:80": "192.0.2.1/32", "[2001:db8:1:2:3::4]:80": "2001:db8:1::/48", "[::ffff:192.0.2.1]:80": "192.0.2.1/32",
		"10.1.2.3:80": "", "[::ffff:10.1.2.3]:80": "", "127.0.0.1:80": "", "[::1]:80": "",
	} {
		end := remote{address: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(from))}
		if got := all.networkOf(end); got.IsValid() != (want != "") || want != "" && got.String() != want {
			t.Errorf("%s counts for %v, want %q", from, got, want)
		}
	}
}

// remote is a connection from an address.
type remote struct {
	net.Conn
	address net.Addr
}

func (r remote) RemoteAddr() net.Addr { return r.address }

// openFiles is the variable with how many open files a process of a test may have.
const openFiles = "FORECOURT_TEST_OPEN_FILES"

// limitFiles applies openFiles, if it is set.
func limitFiles(text string) {
	if most, err := strconv.ParseUint(text, 10, 64); err == nil {
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			panic(err)
		}
	}
}

// TestIdleConnectionsDoNotStopPayments opens more connections than the program may have files, and then pays.
func TestIdleConnectionsDoNotStopPayments(t *testing.T) {
	t.Parallel()
	values := site(t, dbtest.URL(t))
	values[openFiles] = "200"
	p := startProcess(t, values, "serve")
	for n := range 250 {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.address, "http://"))
		check.Must(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		check.Must(t, conn.SetDeadline(time.Now().Add(time.Minute)))
		_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		answer, err := bufio.NewReader(conn).ReadString('\n')
		check.MustEqual(t, answer, "HTTP/1.1 200 OK\r\n", "connection %d is answered, %v", n+1, err)
	}
	c := newCustomer(t, p.address)
	id := c.order("panezski")
	c.json(id, "panezski", "200", "pan", "4111111111111111")
	c.becomes("panezski", id, "success")
}
