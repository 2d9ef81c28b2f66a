package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"forecourt/tools/drive"
)

// The gateway's id, and the key with which the program calls it.
const (
	gatewayID  = "chaos"
	gatewayKey = "the key of chaos"
)

// gateway is a sandbox and the front before it.
type gateway struct {
	sandbox *drive.Process
	front   *front
}

// startGateway starts a gateway that charges chargedLate so late, answers with a share of rubbish, and reports a wrong amount for the card
// that ends with lies.
func startGateway(ctx context.Context, dir, binary string, late time.Duration, f *front) (*gateway, error) {
	env := []string{"GATEWAY_KEY=" + gatewayKey, "FORECOURT_DATA=" + filepath.Join(dir, "gateway")}
	args := []string{"sandbox", "--addr", "127.0.0.1:0", "--late", late.String()}
	sandbox, err := drive.Start(ctx, filepath.Join(dir, "sandbox.log"), env, binary, args...)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	if err := f.start(ctx, sandbox.URL); err != nil {
		sandbox.Kill()
		return nil, err
	}
	return &gateway{sandbox, f}, nil
}

func (g *gateway) close() {
	_ = g.front.server.Close()
	g.sandbox.Kill()
}

// host returns the host and port of the sandbox's own pages, without the front.
func (g *gateway) host() string { return strings.TrimPrefix(g.sandbox.URL, "http://") }

// call asks the sandbox directly, not over the wires, as its console does. It returns the status of the answer and reads what it says.
func (g *gateway) call(ctx context.Context, method, path string, body, into any) (status int, err error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, method, g.sandbox.URL+path, bytes.NewReader(raw))
	if err != nil {
		return 0, err
	}
	req.GetBody = nil // so that nothing sends it twice
	req.Header.Set("Authorization", "Bearer "+gatewayKey)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	if into != nil {
		err = json.NewDecoder(res.Body).Decode(into)
	}
	return res.StatusCode, errors.Join(err, res.Body.Close())
}

// pages has the ledger paged by counting entries, so that a page repeats some of the one before; 0 is as ever.
func (g *gateway) pages(ctx context.Context, size int) error {
	status, err := g.call(ctx, http.MethodPost, "/sandbox/pages", map[string]int{"size": size, "repeat": min(size, 1)}, nil)
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("pages: HTTP %d, %w", status, err)
	}
	return nil
}

// ledger reads the whole ledger, page by page, with all that each entry says.
func (g *gateway) ledger(ctx context.Context) (all []map[string]any, err error) {
	for cursor := ""; ; {
		var page struct {
			Entries []map[string]any
			Next    string
		}
		asked := url.Values{"cursor": {cursor}, "kinds": {"capture,refund,dispute,payout"}}
		status, err := g.call(ctx, http.MethodGet, "/ledger?"+asked.Encode(), nil, &page)
		if err != nil || status != http.StatusOK {
			return nil, fmt.Errorf("ledger: HTTP %d, %w", status, err)
		}
		all = append(all, page.Entries...)
		if cursor = page.Next; cursor == "" {
			return all, nil
		}
	}
}
