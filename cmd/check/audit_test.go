package main

import "testing"

func TestAnAuditTellsFindingsFromFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, report string
		code         int
		want         verdict
	}{
		{"nothing known", `{"vulnerabilities":{},"metadata":{"vulnerabilities":{"total":0}}}`, 0, clean},
		{"something known", `{"vulnerabilities":{"x":{}},"metadata":{"vulnerabilities":{"high":1,"total":1}}}`, 1, found},
		{"a registry that refuses", `{"message":"405 Method Not Allowed","statusCode":405,"error":{"summary":""}}`, 1, unreachable},
		{"no network", "", 1, unreachable},
		{"no npm", "", -1, unreachable},
	} {
		if got := readNPMAudit([]byte(tt.report), tt.code); got != tt.want {
			t.Errorf("npm, %s: %d, want %d", tt.name, got, tt.want)
		}
	}
	for code, want := range map[int]verdict{0: clean, 3: found, 1: unreachable, 2: unreachable, -1: unreachable} {
		if got := readVulncheck(nil, code); got != want {
			t.Errorf("govulncheck ends with %d: %d, want %d", code, got, want)
		}
	}
	if auditCodes[found] == auditCodes[unreachable] || auditCodes[clean] != 0 || max(found, unreachable) != found {
		t.Error("the exit codes do not tell findings from failures")
	}
}
