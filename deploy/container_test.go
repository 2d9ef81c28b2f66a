package deploy_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTheContainerHasFewRights reads the Dockerfile, because the tests have no Docker. The program has its own user and writes only below
// /data, and the documented way to start it makes everything else read-only.
func TestTheContainerHasFewRights(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	file := strings.ReplaceAll(string(text), "\\\n", "")
	_, user, found := strings.Cut(file, "\nUSER ")
	if user, _, _ = strings.Cut(user, "\n"); !found || user != "10001:10001" {
		t.Errorf("the image's user is %q, want the numeric ids of a user of its own, which --read-only and Kubernetes can check", user)
	}
	if strings.Index(file, "\nENTRYPOINT ") < strings.Index(file, "\nUSER ") || strings.Count(file, "\nUSER ") != 1 {
		t.Error("USER is not set exactly once, before ENTRYPOINT")
	}
	if !regexp.MustCompile(`useradd [^&]*--uid 10001 [^&]*forecourt`).MatchString(file) {
		t.Error("the user has no passwd entry, which initdb needs")
	}
	if got := regexp.MustCompile(`(?m)^VOLUME .*$`).FindAllString(file, -1); len(got) != 1 || got[0] != "VOLUME /data" {
		t.Errorf("volumes: %v, want /data alone", got)
	}
	for _, place := range []string{"Dockerfile", "../docs/operations.md"} {
		text, err := os.ReadFile(place)
		if err != nil {
			t.Fatal(err)
		}
		line := regexp.MustCompile(`docker run [^\n]*`).FindString(string(text))
		for _, want := range []string{"--read-only", "--tmpfs /tmp", "--volume forecourt:/data", "--cap-drop ALL", "--security-opt no-new-privileges"} {
			if !strings.Contains(line, want) {
				t.Errorf("%s: the docker run line lacks %s: %q", place, want, line)
			}
		}
	}
}
