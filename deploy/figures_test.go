//go:build long

package deploy_test

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"forecourt/internal/certificate/pebbletest"
)

// elsewhere lists figures that the program in this test does not have.
var elsewhere = map[string]string{
	"forecourt_replica_behind_seconds": "it has no DATABASE_REPLICA_URL",
	"forecourt_ledger_differences":     "the first daily comparison has not run",
}

// TestPrometheusReadsTheDashboardAndTheRules has Debian's Prometheus scrape a program while people order and pay. Each query of the
// dashboard has an answer, each rule can be evaluated, and each figure that they name exists.
func TestPrometheusReadsTheDashboardAndTheRules(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o711); err != nil { // PostgreSQL's user has to pass through it
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "archive")
	if err := os.Mkdir(archive, 0o700); err != nil {
		t.Fatal(err)
	}
	cert, key, _ := certificate(t, dir)
	site, admin := pebbletest.Free(t), pebbletest.Free(t)
	serve(t, built(t), "FORECOURT_ADDR="+site, "FORECOURT_ADMIN_ADDR="+admin, "FORECOURT_URL=https://pay.example", "TLS_CERT="+cert, "TLS_KEY="+key, "FORECOURT_DEMO=on",
		"FORECOURT_DATA="+filepath.Join(dir, "data"), "FORECOURT_ARCHIVE="+archive, "FORECOURT_ARCHIVE_KEY="+strings.Repeat("k", 32), "SMTP_URL=smtp://127.0.0.1:1")
	p := startPrometheus(t, dir, admin)

	buy(t, site)
	for _, expr := range dashboard(t) {
		if elsewhere[strings.TrimSuffix(strings.TrimPrefix(expr, "max("), ")")] != "" {
			continue
		}
		for end := time.Now().Add(20 * time.Second); ; {
			err := p.answers(expr)
			if err == nil {
				break
			}
			if time.Now().After(end) {
				t.Errorf("%s: %v", expr, err)
				break
			}
			buy(t, site)
		}
	}

	rules := p.evaluated()
	for _, r := range rules {
		if r.Health != "ok" {
			t.Errorf("%s is %s: %s", r.Name, r.Health, r.LastError)
		}
	}
	if len(rules) < 20 {
		t.Errorf("%d rules", len(rules))
	}

	var names []string
	if err := p.ask("label/__name__/values", nil, &names); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"alerts.yml", "grafana.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\b(?:forecourt|process|go)_[a-z_]+\b`).FindAllString(string(text), -1) {
			if !slices.Contains(names, name) && elsewhere[name] == "" {
				t.Errorf("%s names %s, which Prometheus has not scraped", file, name)
			}
		}
	}
}

// dashboard returns the queries of grafana.json.
func dashboard(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			all = append(all, target.Expr)
		}
	}
	if len(all) < 16 {
		t.Fatalf("%d queries", len(all))
	}
	return all
}

// prometheus is a running Prometheus with our rules that scrapes a program every second.
type prometheus struct {
	t       *testing.T
	address string
}

func startPrometheus(t *testing.T, dir, target string) prometheus {
	t.Helper()
	rules, err := filepath.Abs("alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "prometheus.yml")
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%q]\nscrape_configs:\n  - job_name: forecourt\n    static_configs: [{targets: [%q]}]\n", rules, target)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	p := prometheus{t, pebbletest.Free(t)}
	run := exec.Command("prometheus", "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "tsdb"), "--web.listen-address="+p.address, "--log.level=warn")
	run.Dir, run.Stderr = dir, t.Output()
	if err := run.Start(); err != nil {
		t.Fatalf("%v: make proxies installs it", err)
	}
	t.Cleanup(func() {
		_ = run.Process.Signal(syscall.SIGTERM)
		_ = run.Wait()
	})
	for end := time.Now().Add(30 * time.Second); ; <-time.After(100 * time.Millisecond) {
		res, err := http.Get("http://" + p.address + "/-/ready")
		if err == nil && res.Body.Close() == nil && res.StatusCode == http.StatusOK {
			return p
		}
		if time.Now().After(end) {
			t.Fatalf("Prometheus is not ready: %v", err)
		}
	}
}

// ask sends a query to Prometheus's API and decodes the data in its answer.
func (p prometheus) ask(path string, query url.Values, data any) error {
	res, err := http.Get("http://" + p.address + "/api/v1/" + path + "?" + query.Encode())
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Status != "success" {
		return errors.New(answer.Error)
	}
	return json.Unmarshal(answer.Data, data)
}

// answers returns an error unless a figure answers a query.
func (p prometheus) answers(expr string) error {
	var found struct{ Result []struct{ Value [2]any } }
	if err := p.ask("query", url.Values{"query": {expr}}, &found); err != nil {
		return err
	}
	for _, series := range found.Result {
		if series.Value[1] != "NaN" {
			return nil
		}
	}
	return fmt.Errorf("%d series, none with a figure", len(found.Result))
}

// rule is an alert as Prometheus reports it.
type rule struct{ Name, Health, LastError string }

// evaluated returns the rules once Prometheus has evaluated each.
func (p prometheus) evaluated() []rule {
	p.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; <-time.After(100 * time.Millisecond) {
		var found struct{ Groups []struct{ Rules []rule } }
		if err := p.ask("rules", nil, &found); err != nil {
			p.t.Fatal(err)
		}
		var all []rule
		for _, group := range found.Groups {
			all = append(all, group.Rules...)
		}
		if !slices.ContainsFunc(all, func(r rule) bool { return r.Health == "unknown" }) || time.Now().After(end) {
			return all
		}
	}
}

// buy orders and pays at a live business, whose payers get a receipt by email.
func buy(t *testing.T, site string) {
	t.Helper()
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "pay.example"}, DisableKeepAlives: true}}
	post := func(path, body string) []byte {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+site+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "pay.example"
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", rand.Text())
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode >= http.StatusBadRequest {
			t.Fatalf("%s: %s, %v: %s", path, res.Status, err, text)
		}
		return bytes.TrimSpace(text)
	}
	var made struct{ TrxID string }
	if err := json.Unmarshal(post("/api/pos", `{"merchantId":"tahbella","order":[{"name":"Lemon Sorbet","qty":1}],"table":"4"}`), &made); err != nil {
		t.Fatal(err)
	}
	post("/api/pay", fmt.Sprintf(`{"merchantId":"tahbella","trxId":%q,"cardholder":"Pat Payer","pan":"4111111111111111","exp":"11/33","cvc":"123","cEmail":"pat@example.com"}`, made.TrxID))
}
