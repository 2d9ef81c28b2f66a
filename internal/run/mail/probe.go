package mail

import (
	"context"

	"github.com/wneessen/go-mail"
)

// Probe signs in to the server, with TLS as for letters. If to is set, it sends a short test mail there.
func (s *Server) Probe(ctx context.Context, from, to string) error {
	client, err := mail.NewClient(s.host, s.options()...)
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	if to != "" {
		message := mail.NewMsg()
		if err := message.From(from); err != nil {
			return err
		}
		if err := message.To(to); err != nil {
			return err
		}
		message.Subject("A test of this site's mail")
		message.SetBodyString(mail.TypeTextPlain, "forecourt doctor sent this to check that mail arrives. You need not do anything.\n")
		if err := client.Send(message); err != nil {
			return err
		}
	}
	return client.Close()
}
