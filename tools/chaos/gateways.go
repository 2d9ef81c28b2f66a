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
)

// gateway is a sandbox, separate from all others, and the front before it.
type gateway struct {
	id, key string
	sandbox *process
	front   *front
}

// startGateway starts the sandbox of binary in dir. share is the share of rubbish among its answers.
func startGateway(ctx context.Context, dir, binary, id string, share float64, seed uint64) (*gateway, error) {
	g := &gateway{id: id, key: "chaos " + id}
	env := []string{"GATEWAY_KEY=" + g.key, "FORECOURT_DATA=" + filepath.Join(dir, "gateway "+id)}
	var err error
	g.sandbox, err = launch(ctx, filepath.Join(dir, "sandbox "+id+".log"), env, binary, "sandbox", "--addr", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	if g.front, err = newFront(ctx, g.sandbox.url, g.key, share, seed); err != nil {
		g.sandbox.kill()
		return nil, err
	}
	return g, nil
}

func (g *gateway) close() {
	g.front.close()
	g.sandbox.kill()
}

// host returns the host and port of the sandbox's own pages, without the front.
func (g *gateway) host() string { return strings.TrimPrefix(g.sandbox.url, "http://") }

// entry is a line of a gateway's ledger.
type entry struct {
	capture
	State, ID, Gross, Fees, Net string
}

// ledger reads the gateway's ledger directly, page by page.
func (g *gateway) ledger(ctx context.Context, kinds string) ([]entry, error) {
	var all []entry
	for cursor := ""; ; {
		query := url.Values{"cursor": {cursor}, "kinds": {kinds}}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.sandbox.url+"/ledger?"+query.Encode(), nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+g.key)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		var page struct {
			Entries []entry
			Next    string
		}
		err = errors.Join(json.NewDecoder(res.Body).Decode(&page), res.Body.Close())
		if err != nil || res.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("ledger: HTTP %d, %w", res.StatusCode, err)
		}
		for _, e := range page.Entries {
			e.Gateway = g.id
			all = append(all, e)
		}
		if cursor = page.Next; cursor == "" {
			return all, nil
		}
	}
}

// acquirer posts to the sandbox directly, and reports whether the sandbox knows what the request names.
func (g *gateway) acquirer(ctx context.Context, path string, body any) (found bool, err error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return false, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.sandbox.url+path, bytes.NewReader(raw))
	if err != nil {
		return false, err
	}
	req.Header.Set("Authorization", "Bearer "+g.key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, err
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNotFound {
		return false, fmt.Errorf("%s answers HTTP %d", path, res.StatusCode)
	}
	return res.StatusCode == http.StatusOK, nil
}
