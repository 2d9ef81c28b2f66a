//go:build long

package deploy_test

import (
	"crypto/tls"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/certificate/pebbletest"
	"forecourt/internal/dbtest"
)

// TestAnOrderIsPaidThroughEachProxy drives a browser, e2e/proxy, through each proxy to a program that serves.
func TestAnOrderIsPaidThroughEachProxy(t *testing.T) {
	playwright, err := filepath.Abs("../node_modules/.bin/playwright")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(playwright); err != nil {
		t.Fatalf("%v: make deploy-check installs it", err)
	}
	program, secure := pebbletest.Free(t), pebbletest.Free(t)
	_, port, err := net.SplitHostPort(secure)
	if err != nil {
		t.Fatal(err)
	}
	site := "https://pay.example:" + port
	serve(t, built(t), "FORECOURT_ADDR="+program, "FORECOURT_URL="+site, "TRUSTED_PROXIES=127.0.0.1", "FORECOURT_DEMO=on", "FORECOURT_DATA="+t.TempDir(),
		"DATABASE_URL="+dbtest.URL(t), "FORECOURT_SECRET="+strings.Repeat("s", 32), "GOOGLEPAY_SCRIPT_URL=https://127.0.0.1:9/pay.js")
	for name := range proxies {
		t.Run(name, func(t *testing.T) {
			log := startProxy(t, name, secure, program)
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "pay.example"}, DisableKeepAlives: true}}
			apptest.Eventually(t, name+" answers", func() bool {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+secure+"/readyz", nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Host = "pay.example:" + port
				res, err := client.Do(req)
				if err != nil {
					return false
				}
				return res.Body.Close() == nil && res.StatusCode == http.StatusOK
			})
			journey := exec.CommandContext(t.Context(), playwright, "test", "--config", "e2e/proxy/playwright.config.ts")
			journey.Dir, journey.Env = "..", append(os.Environ(), "PROXY_URL="+site)
			if said, err := journey.CombinedOutput(); err != nil {
				t.Errorf("%v: %s\nthe proxy says:\n%s", err, said, log())
			}
		})
	}
}
