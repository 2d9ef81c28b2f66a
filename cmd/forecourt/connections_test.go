package main

import (
	"bufio"
	"io"
	"log/slog"
	"math"
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
	"forecourt/internal/dbtest"
)

// door is a server with few connections. /busy answers once released is closed; /stream keeps its connection as an event stream does.
type door struct {
	*testing.T
	all      *connections
	server   *httptest.Server
	reached  chan struct{} // gets a value from each request that stays
	released chan struct{}
	streams  chan net.Conn
}

func newDoor(t *testing.T, most, each int, exempt ...netip.Prefix) *door {
	t.Helper()
	d := &door{T: t, reached: make(chan struct{}), released: make(chan struct{}), streams: make(chan net.Conn, 1), all: &connections{
		most: most, each: each, exempt: exempt, full: func() {}, networks: map[netip.Prefix]*peers{},
	}}
	d.server = httptest.NewUnstartedServer(nil)
	d.server.Config = newWeb(http.HandlerFunc(d.serve), slog.New(slog.DiscardHandler))
	// A busy machine may need longer than a sender has.
	d.server.Config.ReadHeaderTimeout, d.server.Config.ReadTimeout, d.server.Config.IdleTimeout = 0, 0, 0
	d.server.Config.ConnState = d.all.note
	d.server.Listener = d.all.limit(d.server.Listener)
	t.Cleanup(func() { d.server.Close() })
	return d
}

func (d *door) serve(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/busy":
		d.reached <- struct{}{}
		<-d.released
	case "/stream":
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			d.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		d.streams <- conn
		d.reached <- struct{}{}
	}
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
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { _ = conn.Close() })
	return caller{d, conn}
}

// asks sends a request, and waits until it is answered or, if it stays, has reached its handler.
func (c caller) asks(path string) {
	c.Helper()
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		c.Error(err)
	}
	if path == "/" {
		c.answered()
		return
	}
	<-c.reached
}

// answered reads an answer and waits until the connection is idle.
func (c caller) answered() {
	c.Helper()
	if answer := make([]byte, 4096); !c.reads(answer) || string(answer[:15]) != "HTTP/1.1 200 OK" {
		c.Errorf("no answer: %.60q", answer)
	}
	apptest.Eventually(c, "an idle connection", func() bool { return c.waiting() == c.LocalAddr().String() })
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

// waiting returns the address of the last connection that began to wait for a request.
func (d *door) waiting() string {
	d.all.mu.Lock()
	defer d.all.mu.Unlock()
	if last := d.all.waiting.Back(); last != nil {
		return last.Value.(*connection).RemoteAddr().String()
	}
	return ""
}

const one, two, three = "127.0.0.1", "127.0.0.2", "127.0.0.3"

func TestAFullNetworkGivesUpItsLongestIdleConnection(t *testing.T) {
	t.Parallel()
	d := newDoor(t, 100, 3)
	d.server.Start()
	other := d.dial(two)
	other.asks("/")
	first, second, third := d.dial(one), d.dial(one), d.dial(one)
	for _, c := range []caller{first, second, third, first} {
		c.asks("/")
	}
	d.dial(one).asks("/")
	second.closed()
	for _, c := range []caller{third, first, other} {
		c.asks("/")
	}
	silent := d.dial(one) // takes the place of the fourth, and waits for its own first request
	apptest.Eventually(t, "its place", func() bool { return d.waiting() == silent.LocalAddr().String() })
	third.asks("/")
	first.asks("/")
	d.dial(one).asks("/")
	silent.closed()
}

func TestAFullServerGivesUpTheLongestIdleConnection(t *testing.T) {
	t.Parallel()
	d := newDoor(t, 3, 2, netip.MustParsePrefix(three+"/32"))
	d.server.Start()
	first, second, proxy := d.dial(one), d.dial(two), d.dial(three)
	for _, c := range []caller{second, first, proxy} {
		c.asks("/")
	}
	d.dial(three).asks("/")
	second.closed()
	d.dial(three).asks("/") // a third of a network that is exempt
	first.closed()
	proxy.asks("/")
}

func TestABusyConnectionIsNeverClosedForAnother(t *testing.T) {
	t.Parallel()
	d := newDoor(t, 100, 2)
	d.server.Start()
	busy, stream := d.dial(one), d.dial(one)
	busy.asks("/busy")
	stream.asks("/stream")
	if !stream.reads(make([]byte, 100)) {
		t.Error("the stream has not begun")
	}
	d.dial(one).closed()
	d.dial(two).asks("/")
	_ = (<-d.streams).Close() // the stream ends, which makes room
	next := d.dial(one)
	next.asks("/")
	close(d.released)
	busy.answered()
	next.asks("/")
	d.server.Close()
	apptest.Eventually(t, "every connection is counted off", func() bool {
		d.all.mu.Lock()
		defer d.all.mu.Unlock()
		return d.all.open == 0 && len(d.all.networks) == 0 && d.all.waiting.Len() == 0
	})
}

func TestEncryptedConnectionsCount(t *testing.T) {
	t.Parallel()
	for _, version := range []int{1, 2} {
		d := newDoor(t, 100, 1)
		d.server.EnableHTTP2 = version == 2
		d.server.StartTLS()
		done := make(chan *http.Response)
		go func() {
			res, err := d.server.Client().Get(d.server.URL + "/busy")
			if err != nil {
				t.Error(err)
			}
			done <- res
		}()
		<-d.reached
		d.dial(one).closed() // because the other one is busy
		close(d.released)
		if res := <-done; res != nil {
			_ = res.Body.Close()
			if res.ProtoMajor != version {
				t.Errorf("HTTP/%d, want HTTP/%d", res.ProtoMajor, version)
			}
		}
		apptest.Eventually(t, "the connection is idle", func() bool { return d.waiting() != "" })
		late := d.dial(one)
		apptest.Eventually(t, "the new one has its place", func() bool { return d.waiting() == late.LocalAddr().String() })
	}
}

func TestConnectionsLeaveFilesForTheRest(t *testing.T) {
	t.Parallel()
	for files, want := range map[uint64]int{256: 128, 1024: 512, 20_000: 19_000, 65_536: 25_000, math.MaxUint64: 25_000} {
		if got := mostOf(files); got != want {
			t.Errorf("with %d open files: %d connections, want %d", files, got, want)
		}
	}
}

func TestProxiesAndThisMachineAreNotLimitedByNetwork(t *testing.T) {
	t.Parallel()
	all, err := newConnections(40, web.Proxies{netip.MustParsePrefix("10.0.0.0/8")}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if all.each != 1_040 {
		t.Errorf("%d of a network, want 1,000 beside 40 streams", all.each)
	}
	for from, want := range map[string]string{
		"192.0.2.1:80": "192.0.2.1/32", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64", "[::ffff:192.0.2.1]:80": "192.0.2.1/32",
		"10.1.2.3:80": "", "[::ffff:10.1.2.3]:80": "", "127.0.0.1:80": "", "[::1]:80": "",
	} {
		end := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(from))
		if got := all.networkOf(end); got.IsValid() != (want != "") || want != "" && got.String() != want {
			t.Errorf("%s counts for %v, want %q", from, got, want)
		}
	}
}

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
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		if answer, err := bufio.NewReader(conn).ReadString('\n'); answer != "HTTP/1.1 200 OK\r\n" {
			t.Fatalf("connection %d is answered %q, %v", n+1, answer, err)
		}
	}
	c := newCustomer(t, p.address)
	id := c.order("panezski")
	c.json(id, "panezski", "200", "pan", "4111111111111111")
	c.becomes("panezski", id, "success")
}
