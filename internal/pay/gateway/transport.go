package gateway

import (
	"net"
	"net/http"
	"time"
)

const (
	dialTimeout = 5 * time.Second
	// idleTimeout is shorter than the 5 s after which the most impatient common servers close an idle connection. If one closes just as it
	// is used again, the customer has to wait until the payment is resolved.
	idleTimeout = 4 * time.Second
	maxIdle     = 64       // unused connections that are kept
	maxHeader   = 16 << 10 // bytes of an answer's header
)

// newTransport speaks only HTTP/1.1, because HTTP/2 has its own rules for repeating requests. It takes no proxy from the environment, which
// only cmd/forecourt reads.
func newTransport() *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Protocols:              protocols,
		DialContext:            (&net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout:    dialTimeout,
		IdleConnTimeout:        idleTimeout,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdle,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true,
	}
}
