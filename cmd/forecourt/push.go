package main

import (
	"fmt"

	"forecourt/internal/push"
	"forecourt/internal/secret"
)

// demoProject is the default push project of a demo.
const demoProject = "forecourt-demo"

// pushConfig sets up push messages. A demo has them even without settings.
func (c config) pushConfig() push.Config {
	setup := c.push
	if setup.Project.IsZero() && c.demo {
		setup.Project = push.Project{
			ID: demoProject, AppID: demoProject, SenderID: demoProject,
			APIKey: secret.New(fmt.Sprintf("%x", secret.Derive(c.Secret, "push api key"))),
		}
	}
	return setup
}
