package main

import (
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"forecourt/app"
)

func TestPushIsSetUpByTheProjectThatIsSet(t *testing.T) {
	t.Parallel()
	whole := map[string]string{"PUSH_PROJECT_ID": "shop", "PUSH_API_KEY": "k", "PUSH_APP_ID": "a", "PUSH_SENDER_ID": "s"}
	without := func(name string) map[string]string {
		part := map[string]string{}
		for key, value := range whole {
			if key != name {
				part[key] = value
			}
		}
		return part
	}
	for _, tt := range []struct {
		name    string
		demo    string
		env     map[string]string
		project string // "": off
	}{
		{"all parts (PUSH-01)", "off", whole, "shop"},
		{"no project id (PUSH-01)", "on", without("PUSH_PROJECT_ID"), ""},
		{"no API key (PUSH-01)", "on", without("PUSH_API_KEY"), ""},
		{"no app id (PUSH-01)", "on", without("PUSH_APP_ID"), ""},
		{"no sender id (PUSH-01)", "on", without("PUSH_SENDER_ID"), ""},
		{"nothing", "off", nil, ""},
		{"nothing in a demo", "on", nil, demoProject},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := readConfig(func(name string) string {
				if name == "FORECOURT_DEMO" {
					return tt.demo
				}
				return tt.env[name]
			})
			if err != nil {
				t.Fatal(err)
			}
			c.Secret = strings.Repeat("s", 32)
			public := &url.URL{Scheme: "https", Host: "pay.example"}
			rules, err := app.NewRules(app.Config{Secret: c.Secret, PublicURL: public, Push: c.pushConfig(), Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			p := rules.Push
			if (p != nil) != (tt.project != "") || p != nil && p.ProjectID() != tt.project {
				t.Errorf("push is on: %t", p != nil)
			}
		})
	}
}

func TestAWrongPushSettingIsNamed(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]map[string]string{
		"PUSH_VAPID_PRIVATE": {"PUSH_VAPID_PRIVATE": "very secret"}, "PUSH_SYNC_URL": {"PUSH_SYNC_URL": "sync.example"}, "LIMIT_PUSH": {"LIMIT_PUSH": "0"},
	} {
		_, err := readConfig(from(env))
		var wrong *settingError
		if !errors.As(err, &wrong) || wrong.name != name || strings.Contains(err.Error(), "very secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
