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

// openPush returns nil where push is off: no project is set, or a part of it is missing (PUSH-01). What the demo does not
// set comes from the program's secret.
func openPush(c config, pool *pgxpool.Pool, public *url.URL, log *slog.Logger) (*push.Push, error) {
	setup := c.push
	setup.HashKey, setup.Contact = derive(c.Secret, "limits"), c.provider.SupportMail
	if public.Scheme == "https" {
		setup.Contact = public.String()
	}
	if setup.Project.ID == "" && setup.Project.APIKey.Reveal() == "" && setup.Project.AppID == "" && setup.Project.SenderID == "" {
		if !c.demo {
			return nil, nil //nolint:nilnil // nil is a program without push
		}
		setup.Project = push.Project{
			ID: demoProject, AppID: demoProject, SenderID: demoProject, APIKey: secret.New(fmt.Sprintf("%x", derive(c.Secret, "push api key"))),
		}
	}
	if setup.Keys.Public == "" {
		keys, err := push.DeriveKeys(derive(c.Secret, "push"))
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
