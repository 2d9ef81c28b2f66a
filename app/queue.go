package app

import (
	"cmp"
	"context"
	"errors"

	"forecourt/handlers/desk"
	"forecourt/handlers/pay"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/push"
	"forecourt/internal/upkeep/jobs"
	"forecourt/views/mails"
)

// WorkQueue starts working through the queue, until Close.
func (s *Site) WorkQueue(ctx context.Context) error {
	c := s.config
	cfg := jobs.Config{
		Pool: s.Pool, Payments: s.Payments, Settlement: s.Settlement, Books: s.Books,
		Log: c.Log, Push: s.Push, Notices: s.Notices, Privacy: s.Privacy,
		Words: push.Words{Ready: pay.PushMessage, Note: desk.NoteMessage},
		Mail: mail.Config{
			Pool: s.Pool, Log: c.Log, Server: c.MailServer, Key: c.ring().Key("limits"),
			Sender: cmp.Or(c.MailFrom, "no-reply@"+c.PublicURL.Hostname()),
			Writers: mails.Letters{
				Provider: c.Provider.Name, Support: c.Provider.SupportMail, Public: c.PublicURL, Bcc: c.MailBcc, Compliance: s.Compliance,
			}.Writers(),
		},
	}
	if c.Tracer != nil {
		cfg.Trace = c.Tracer.Job
	}
	queue, err := jobs.Start(ctx, cfg)
	if err == nil {
		s.queues = append(s.queues, queue)
	}
	return err
}

// Close stops the site without losing anything, once no more requests arrive: it settles payments and finishes jobs. The next process
// takes up whatever is left when ctx ends.
func (s *Site) Close(ctx context.Context) error {
	err := s.Payments.Close(ctx)
	for _, queue := range s.queues {
		err = errors.Join(err, queue.Stop(ctx))
	}
	s.stop()
	s.background.Wait()
	return err
}
