package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/push"
	"forecourt/internal/secret"
)

// demoProject is the push project of a demo that nobody gave another one.
const demoProject = "forecourt-demo"

func readPush(c *config, getenv func(string) string) error {
	c.push.Project = push.Project{
		ID: getenv("PUSH_PROJECT_ID"), AppID: getenv("PUSH_APP_ID"), SenderID: getenv("PUSH_SENDER_ID"),
		APIKey: secret.New(getenv("PUSH_API_KEY")),
	}
	c.push.SyncURL, c.push.Allow = getenv("PUSH_SYNC_URL"), c.outboundAllow
	if c.push.SyncURL != "" {
		if _, err := webAddress(c.push.SyncURL); err != nil {
			return &settingError{"PUSH_SYNC_URL", fmt.Sprintf("%q is not http(s)://HOST/PATH", c.push.SyncURL)}
		}
	}
	public, private := getenv("PUSH_VAPID_PUBLIC"), getenv("PUSH_VAPID_PRIVATE")
	if public == "" && private == "" {
		return nil
	}
	keys, err := push.ReadKeys(public, private)
	if err != nil {
		return &settingError{"PUSH_VAPID_PRIVATE", "with PUSH_VAPID_PUBLIC: " + err.Error()}
	}
	c.push.Keys = keys
	return nil
}

// openPush returns nil where push is off: no project is set, or a part of it is missing (PUSH-01). What the demo does not
// set comes from the program's secret.
func openPush(c config, pool *pgxpool.Pool, public *url.URL, log *slog.Logger) (*push.Push, error) {
	setup := c.push
	setup.HashKey, setup.Contact = derive(c.secret, "limits"), c.provider.SupportMail
	if public.Scheme == "https" {
		setup.Contact = public.String()
	}
	if setup.Project.ID == "" && setup.Project.APIKey.Reveal() == "" && setup.Project.AppID == "" && setup.Project.SenderID == "" {
		if !c.demo {
			return nil, nil //nolint:nilnil // nil is a program without push
		}
		setup.Project = push.Project{
			ID: demoProject, AppID: demoProject, SenderID: demoProject, APIKey: secret.New(fmt.Sprintf("%x", derive(c.secret, "push api key"))),
		}
	}
	if setup.Keys.Public == "" {
		keys, err := push.DeriveKeys(derive(c.secret, "push"))
		if err != nil {
			return nil, err
		}
		setup.Keys = keys
	}
	p, err := push.New(pool, setup, log)
	var missing *push.SetupError
	if errors.As(err, &missing) {
		log.Warn("push messages are off", "missing", missing.Missing)
		return nil, nil //nolint:nilnil // nil is a program without push
	}
	return p, err
}
