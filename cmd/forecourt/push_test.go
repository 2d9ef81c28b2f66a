package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"forecourt/app"
	"forecourt/internal/kit/check"
)

func TestPushIsSetUpByTheProjectThatIsSet(t *testing.T) {
	t.Parallel()
	whole := map[string]string{"project_id": "shop", "api_key": "k", "app_id": "a", "sender_id": "s"}
	for _, tt := range []struct {
		name    string
		demo    string
		env     map[string]string
		project string // "": off
	}{
		{"all parts (PUSH-01)", "off", whole, "shop"},
		{"a part is missing (PUSH-01)", "on", map[string]string{"project_id": "shop", "app_id": "a", "sender_id": "s"}, ""},
		{"nothing", "off", nil, ""},
		{"nothing in a demo", "on", nil, demoProject},
	} {
		t.Run(tt.name, func(t *testing.T) {
			values := map[string]string{"FORECOURT_DEMO": tt.demo}
			if tt.env != nil {
				text, err := json.Marshal(tt.env)
				check.Must(t, err)
				values["PUSH_FILE"] = jsonFile(t, string(text))
			}
			c, err := readConfig(from(values))
			check.Must(t, err)
			c.Secret = strings.Repeat("s", 32)
			public := &url.URL{Scheme: "https", Host: "pay.example"}
			rules, err := app.NewRules(app.Config{
				Settings: app.Settings{Push: c.pushConfig()}, Secret: c.Secret, PublicURL: public, Log: slog.New(slog.DiscardHandler),
			})
			check.Must(t, err)
			p := rules.Push
			if (p != nil) != (tt.project != "") || p != nil && p.ProjectID() != tt.project {
				t.Errorf("push is on: %t", p != nil)
			}
		})
	}
}

func TestAWrongPushSettingIsNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"vapid_private": "very secret"}`: "vapid_private", `{"sync_url": "sync.example"}`: "sync_url",
		`{"api_key": {"very secret": 1}}`: "JSON object",
	} {
		_, err := readConfig(from(map[string]string{"PUSH_FILE": jsonFile(t, text)}))
		var wrong *settingError
		if !errors.As(err, &wrong) || wrong.name != "PUSH_FILE" ||
			!strings.Contains(wrong.problem, want) || strings.Contains(err.Error(), "very secret") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
