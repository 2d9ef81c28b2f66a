package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"forecourt/handlers/demo"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/outbound"
	"forecourt/sandbox"
)

// gatewayLink is the connection to the gateway or, if none is configured, to the built-in sandbox.
type gatewayLink struct {
	client        *gateway.Client
	previous      *gateway.Client // nil for none
	redirectHosts []string
	address       string       // where its public pages are, without a trailing slash
	pages         http.Handler // the sandbox's pages; nil with an external gateway
	sandbox       *sandbox.Sandbox
	server        *http.Server
}

// linkGateway connects to the configured gateway, or starts the built-in sandbox and connects to it over HTTP like to any other gateway.
func linkGateway(ctx context.Context, c config, data string, public *url.URL, log *slog.Logger) (*gatewayLink, error) {
	link := &gatewayLink{redirectHosts: c.RedirectHosts}
	address, host := c.GatewayURL, public.Host
	if address == "" {
		var err error
		if address, err = link.startSandbox(ctx, c, data, public, log); err != nil {
			return nil, err
		}
		link.address = public.JoinPath("sandbox").String()
	} else if u, err := url.Parse(address); err == nil {
		host, link.address = u.Host, strings.TrimRight(address, "/")
	}
	if len(link.redirectHosts) == 0 {
		link.redirectHosts = []string{host}
	}
	link.client = gateway.New(gateway.Config{ID: c.GatewayID, URL: address, Key: c.GatewayKey, Timeout: c.GatewayTimeout, Logger: log})
	if c.PreviousURL != "" {
		link.previous = gateway.New(gateway.Config{
			ID: c.PreviousID, URL: c.PreviousURL, Key: c.PreviousKey, Timeout: c.GatewayTimeout, Logger: log,
		})
	}
	return link, nil
}

func (l *gatewayLink) startSandbox(ctx context.Context, c config, data string, public *url.URL, log *slog.Logger) (string, error) {
	var err error
	allow := c.OutboundAllow
	if c.demo {
		allow = append(slices.Clip(allow), hostPort(public)) // the demo's shop is this program
	}
	l.sandbox, err = openSandbox(data, sandbox.Options{
		Key: c.GatewayKey.Reveal(), Logger: log, AllowLive: c.demo, Outbound: outbound.New(allow, sandbox.NotifyTimeout),
		PublicURL: func() string { return public.JoinPath("sandbox").String() },
	})
	if c.beside && errors.Is(err, sandbox.ErrLocked) {
		address, err := os.ReadFile(filepath.Join(data, sandboxAddress))
		return string(address), err
	}
	if err != nil {
		return "", err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", errors.Join(err, l.sandbox.Close())
	}
	l.pages = l.sandbox.Challenge()
	if c.demo {
		l.pages = l.sandbox.Public() // anybody can choose what the hosted page shows and where it leads
	} else if !c.beside {
		log.WarnContext(ctx, "GATEWAY_URL is not set: the built-in sandbox takes payments in test mode only, and declines live ones")
	}
	l.server = &http.Server{Handler: l.sandbox.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = l.server.Serve(listener) }() // ends by Close
	address := "http://" + listener.Addr().String()
	return address, os.WriteFile(filepath.Join(data, sandboxAddress), []byte(address), 0o600)
}

// hostPort returns the host and port at which an address is dialled.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// hostedDemo returns the settings of the hosted page's demo.
func (l *gatewayLink) hostedDemo(c config, public *url.URL) demo.Hosted {
	d := c.Hosted
	d.Public = strings.TrimRight(public.String(), "/")
	d.URL, d.Script = cmp.Or(d.URL, l.address+"/hps"), cmp.Or(d.Script, l.address+"/checkout.js")
	d.JQuery = cmp.Or(d.JQuery, l.address+"/jquery.js")
	if c.Hosted.URL == "" {
		d.MerchantID, d.PublicKey, d.MerchantsURL = sandbox.TestMerchantID, sandbox.TestPublicKey, l.address+"/hps/merchants"
	}
	d.OwnMerchants = c.Hosted.URL == "" && l.sandbox != nil && c.demo
	if c.Hosted.Script == "" {
		d.FrameURL = l.address + "/hps/embed"
	}
	return d
}

// sandboxAddress is the name of the file with the address of the sandbox that a serving program runs for the same data folder.
// Commands read it.
const sandboxAddress = "sandbox.url"

func (l *gatewayLink) close() {
	l.client.Close()
	if l.previous != nil {
		l.previous.Close()
	}
	if l.sandbox == nil {
		return
	}
	_ = l.server.Close()
	_ = l.sandbox.Close()
}

// openSandbox opens the ledger in the data folder.
func openSandbox(data string, o sandbox.Options) (*sandbox.Sandbox, error) {
	o.Path = filepath.Join(data, "sandbox.db")
	s, err := sandbox.Open(o)
	if errors.Is(err, sandbox.ErrLocked) {
		return nil, fmt.Errorf("%w: several forecourts need one `forecourt sandbox` and GATEWAY_URL set", err)
	}
	return s, err
}
