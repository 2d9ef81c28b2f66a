package main

import (
	"net/http"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

func TestTheTerminalService(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "bridge", "--addr", "127.0.0.1:0", "--origin", "https://shop.example", "--origin", "https://bar.example")
	address := p.ready()
	if code, body := get(t, address+"/status/"); code != http.StatusOK || !strings.Contains(body, `"connected":true,"status":"ready"`) {
		t.Errorf("BRIDGE-32 status: %d %s", code, body)
	}
	if code, body := get(t, address+"/pay/?ref=1&amount=5.00"); code != http.StatusOK || !strings.Contains(body, `"status":"connecting"`) {
		t.Errorf("BRIDGE-32 pay: %d %s", code, body)
	}
	for origin, want := range map[string]int{"https://bar.example": 200, "http://localhost:8080": 403} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/status/", nil)
		check.Must(t, err)
		req.Header.Set("Origin", origin)
		res, err := http.DefaultClient.Do(req)
		check.Must(t, err)
		_ = res.Body.Close()
		check.Equal(t, res.StatusCode, want, "BRIDGE-17 %s", origin)
	}
	if code, _ := get(t, address+"/status/?"+strings.Repeat("x", 64<<10)); code < 400 || code >= 500 {
		t.Errorf("an overlong address: %d", code)
	}
	if code := p.end(); code != 0 || p.stderr.String() != "" {
		t.Errorf("stopped with %d: %s", code, p.stderr)
	}
	check.Equal(t, len(p.all), 1, "stdout %q, want the ready line alone", p.all)
	_, err := http.Get(address + "/status/")
	check.Error(t, err, "the service still answers")
}

func TestTheTerminalServiceUnplugged(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "bridge", "--addr", "127.0.0.1:0", "--unplugged")
	_, body := get(t, p.ready()+"/status/")
	check.Contains(t, body, `"connected":false`, "BRIDGE-07")
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
}

func TestTheTerminalServiceStaysOnThisComputer(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"--addr", "0.0.0.0:0"}, {"--addr", ":3015"}, {"--addr", "192.168.0.7:3015"},
		{"--addr", "3015"}, {"--addr", "shop.example:80"}, {"--addr", "[::1]:3015"},
		{"--origin", "*"}, {"--origin", "shop.example"}, {"--origin", ""},
	} {
		shell{t, nil}.fails(2, "", append([]string{"bridge"}, args...)...) // BRIDGE-16
	}
}
