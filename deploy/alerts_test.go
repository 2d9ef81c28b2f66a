package deploy_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestEachAlertIsTried checks that alerts_test.yml has figures that make each rule fire. make deploy-check runs them in promtool.
func TestEachAlertIsTried(t *testing.T) {
	t.Parallel()
	rules, err := os.ReadFile("alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile("alerts_test.yml")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)- alert: (\w+)$`).FindAllStringSubmatch(string(rules), -1)
	if len(names) < 20 {
		t.Errorf("%d rules", len(names))
	}
	for _, name := range names {
		if !regexp.MustCompile(`labels: '\{alertname="`+name[1]+`"\}'`).Match(tests) && !strings.Contains(string(tests), `alertname="`+name[1]+`", alertstate="firing"`) {
			t.Errorf("no figures make %s fire", name[1])
		}
	}
	check, err := os.ReadFile("check.sh")
	if err != nil || !strings.Contains(string(check), "promtool test rules alerts_test.yml") {
		t.Errorf("make deploy-check does not run promtool: %v", err)
	}
}
