package outbound_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/run/outbound"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"1.1.1.1": true, "203.1.2.3": true, "2606:4700::1111": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "0.0.0.0": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "192.0.2.1": false, "198.18.0.1": false, "224.0.0.1": false, "255.255.255.255": false,
		"::1": false, "::": false, "fe80::1": false, "fd00::1": false, "ff02::1": false, "::ffff:127.0.0.1": false,
		"64:ff9b::7f00:1": false, "2002:7f00:1::": false, "2001:db8::1": false,
		"::7f00:1": false, "::ffff:0:7f00:1": false, "fec0::1": false, "4000::1": false,
	} {
		check.Equal(t, outbound.Public(netip.MustParseAddr(address)), want, "%s is public", address)
	}
}

func TestCheckNeedsNoLookup(t *testing.T) {
	t.Parallel()
	allow := []string{"127.0.0.1:9", "localhost:80"}
	for address, want := range map[string]bool{
		"https://push.example.com/x": true, "https://push.example.com:8443/x?y=z": true, "https://8.8.8.8/": true, "https://[2606:4700::1111]/": true,
		"http://127.0.0.1:9/x": true, "http://localhost/x": true, "https://xn--bcher-kva.example/": true, "https://push.cafe/": true,
		"http://push.example.com/": false, "https://127.0.0.1/": false, "https://127.0.0.1:10/": false, "https://127.1/": false,
		"https://0x7f.1/": false, "https://0x7f000001/": false, "https://2130706433/": false, "https://1.2.3.0x4/": false,
		"https://[::1]/": false, "https://[::ffff:10.0.0.1]/": false, "https://[fe80::1%25eth0]/": false, "https://10.0.0.8/": false, "https://localhost/": false,
		"https://db.localhost/": false, "https://printer.local/": false, "https://metadata.google.internal/": false, "https://intranet/": false,
		"https://a@push.example.com/": false, "https:push.example.com": false, "https://": false, "file:///etc/passwd": false, "": false, "https://localhost./": false,
		"ftp://127.0.0.1:9/": false, "https://push.example.com:port/": false, "//push.example.com/": false,
	} {
		check.Equal(t, outbound.Check(allow, address) == nil, want, "%q may be called", address)
	}
}

func TestOnlyPublicHTTPSAddressesAreCalled(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	count := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	})
	plain, secure := httptest.NewServer(count), httptest.NewTLSServer(count)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	_, port, _ := net.SplitHostPort(secure.Listener.Addr().String())
	closed := outbound.New(nil, 5*time.Second)
	for _, address := range []string{
		plain.URL, secure.URL, "https://localhost:" + port, "https://[::1]:" + port, "https://127.1:" + port, "http://1.1.1.1/",
		"https://user@1.1.1.1/", "ftp://1.1.1.1/", "https://169.254.169.254/latest", "https://[::ffff:127.0.0.1]:" + port,
	} {
		res, err := closed.Post(address, "text/plain", strings.NewReader("x"))
		if err == nil {
			res.Body.Close()
			t.Errorf("%s was called", address)
		} else if !errors.Is(err, outbound.ErrForbidden) && !strings.Contains(err.Error(), "127.1") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if calls.Load() > 0 {
		t.Error("a call reached the local server")
	}
	open := outbound.New([]string{plain.Listener.Addr().String()}, 5*time.Second)
	res, err := open.Post(plain.URL, "text/plain", strings.NewReader("x"))
	check.Must(t, err)
	res.Body.Close()
	if res.StatusCode != http.StatusFound || calls.Load() != 1 {
		t.Errorf("answered %d after %d calls: a redirect was followed", res.StatusCode, calls.Load())
	}
	_, err = open.Post(secure.URL, "text/plain", strings.NewReader("x"))
	check.ErrorIs(t, err, outbound.ErrForbidden, "another port of the allowed host")
}
