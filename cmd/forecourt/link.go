package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"forecourt/internal/gateway"
	"forecourt/internal/gateway/sandbox"
)

// gatewayLink is the way to the gateway, with the sandbox at its end where none is configured.
type gatewayLink struct {
	client        *gateway.Client
	redirectHosts []string
	challenge     http.Handler // the sandbox's bank page, nil with an outside gateway
	sandbox       *sandbox.Sandbox
	server        *http.Server
}

// linkGateway connects to the configured gateway or starts the built-in one, which is spoken to over HTTP like any other.
func linkGateway(ctx context.Context, c config, data string, public *url.URL, log *slog.Logger) (*gatewayLink, error) {
	link := &gatewayLink{redirectHosts: c.redirectHosts}
	address, host := c.gatewayURL, public.Host
	if address == "" {
		var err error
		if address, err = link.startSandbox(ctx, c, data, public, log); err != nil {
			return nil, err
		}
	} else if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	if len(link.redirectHosts) == 0 {
		link.redirectHosts = []string{host}
	}
	link.client = gateway.New(gateway.Config{URL: address, Key: c.gatewayKey, Timeout: c.gatewayTimeout, Logger: log})
	return link, nil
}

func (l *gatewayLink) startSandbox(ctx context.Context, c config, data string, public *url.URL, log *slog.Logger) (string, error) {
	var err error
	l.sandbox, err = openSandbox(data, sandbox.Options{
		Key: c.gatewayKey.Reveal(), Logger: log, AllowLive: c.demo,
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
	l.challenge = l.sandbox.Challenge()
	l.server = &http.Server{Handler: l.sandbox.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = l.server.Serve(listener) }() // ends by Close
	address := "http://" + listener.Addr().String()
	return address, os.WriteFile(filepath.Join(data, sandboxAddress), []byte(address), 0o600)
}

// sandboxAddress is the file by which commands find the sandbox of a program that serves from the same data folder.
const sandboxAddress = "sandbox.url"

func (l *gatewayLink) close() {
	l.client.Close()
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
