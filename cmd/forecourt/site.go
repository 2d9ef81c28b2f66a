package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"forecourt/app"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/push"
)

// site returns the configuration of a whole site at an address.
func (c config) site(d *database, link *gatewayLink, public *url.URL) app.Config {
	cfg := c.commandSite(d, link)
	cfg.Tracer, cfg.PublicURL, cfg.Origins, cfg.OpenDemo = c.tracer, public, c.origins(), c.openDemo()
	cfg.Sandbox, cfg.Hosted, cfg.Push = link.sandbox.Public(), c.hostedDemo(public), c.pushConfig()
	if program, err := os.Executable(); err == nil {
		cfg.BridgeDir = filepath.Join(filepath.Dir(program), "bridge")
	}
	return cfg
}

// origins returns the origins at which people reach the site according to the settings, or nil without FORECOURT_URL.
func (c config) origins() []string {
	if c.URL == nil {
		return nil
	}
	origins := []string{plainAddress(c.URL.String())}
	for _, other := range c.OtherURLs {
		origins = append(origins, plainAddress(other))
	}
	return origins
}

// commandSite returns the configuration for a command. A command serves no browsers, and reaches the gateway only through link, which may
// be nil.
func (c config) commandSite(d *database, link *gatewayLink) app.Config {
	cfg := app.Config{Settings: c.Settings, Log: d.log, Pool: d.pool, Secret: c.Secret, PublicURL: c.siteURL(), Demo: c.demo}
	if link != nil {
		cfg.Gateway, cfg.Previous, cfg.RedirectHosts = link.client, link.previous, link.redirectHosts
	}
	return cfg
}

// demoProject is the default push project of a demo.
const demoProject = "forecourt-demo"

// pushConfig sets up push messages. A demo has them even without settings.
func (c config) pushConfig() push.Config {
	setup := c.Push
	if setup.Project.IsZero() && c.demo {
		setup.Project = push.Project{
			ID: demoProject, AppID: demoProject, SenderID: demoProject,
			APIKey: secret.New(fmt.Sprintf("%x", secret.Derive(c.Secret, "push api key"))),
		}
	}
	return setup
}
