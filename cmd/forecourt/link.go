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
	sandbox       *sandbox.Sandbox // the gateway, or with an external one only the test gateway's hosted page; nil for commands
	server        *http.Server     // nil with an external gateway
}

// linkGateway connects to the configured gateway, or starts the built-in sandbox and connects to it over HTTP like to any other gateway.
func linkGateway(ctx context.Context, c config, data string, public *url.URL, log *slog.Logger) (*gatewayLink, error) {
	link := &gatewayLink{redirectHosts: c.RedirectHosts}
	address, host := c.GatewayURL, public.Host
	var err error
	if address == "" {
		address, err = link.startSandbox(ctx, c, data, public, log)
	} else if u, wrong := url.Parse(address); wrong == nil {
		host = u.Host
		if !c.beside {
			link.sandbox, err = openHosted(data, c.sandboxOptions(public, log))
		}
	}
	if err != nil {
		return nil, err
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
	l.sandbox, err = openSandbox(data, c.sandboxOptions(public, log))
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
	if !c.demo && !c.beside {
		log.WarnContext(ctx, "GATEWAY_URL is not set: the built-in sandbox takes payments in test mode only, and declines live ones")
	}
	l.server = &http.Server{Handler: l.sandbox.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = l.server.Serve(listener) }() // ends by Close
	address := "http://" + listener.Addr().String()
	return address, os.WriteFile(filepath.Join(data, sandboxAddress), []byte(address), 0o600)
}

// sandboxOptions returns the options of a sandbox whose pages are below the public address.
func (c config) sandboxOptions(public *url.URL, log *slog.Logger) sandbox.Options {
	allow := c.OutboundAllow
	if c.demo {
		allow = append(slices.Clip(allow), hostPort(public)) // the demo's shop is this program
	}
	return sandbox.Options{
		Key: c.GatewayKey.Reveal(), Logger: log, AllowLive: c.demo, KnownOnly: !c.demo,
		Outbound: outbound.New(allow, sandbox.NotifyTimeout), PublicURL: func() string { return public.JoinPath("sandbox").String() },
	}
}

// openHosted opens a sandbox for the hosted page alone. Nobody needs what it keeps for longer than an hour, so its file has no name: it
// ends with the process, and another one beside it has its own.
func openHosted(data string, o sandbox.Options) (*sandbox.Sandbox, error) {
	file, err := os.CreateTemp(data, "hosted-*.db")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	o.Path = file.Name()
	s, err := sandbox.Open(o)
	return s, errors.Join(err, file.Close())
}

// hostPort returns the host and port at which an address is dialled.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// hostedDemo returns the settings of the hosted page's demo: the provider's own page or, as long as none is set, that of the test gateway,
// where only a demo has merchants that everybody may use.
func (c config) hostedDemo(public *url.URL) demo.Hosted {
	d := c.Hosted
	d.Public = strings.TrimRight(public.String(), "/")
	play := d.Public + "/sandbox"
	d.OwnMerchants = d.URL == ""
	if d.OwnMerchants && c.demo {
		d.MerchantID, d.PublicKey, d.MerchantsURL = sandbox.TestMerchantID, sandbox.TestPublicKey, play+"/hps/merchants"
	}
	if d.Script == "" {
		d.FrameURL = play + "/hps/embed"
	}
	d.URL, d.Script, d.JQuery = cmp.Or(d.URL, play+"/hps"), cmp.Or(d.Script, play+"/checkout.js"), cmp.Or(d.JQuery, play+"/jquery.js")
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
	if l.server != nil {
		_ = l.server.Close()
	}
	if l.sandbox != nil {
		_ = l.sandbox.Close()
	}
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
