package demo

import (
	"time"

	"forecourt/internal/kit/clock"
)

// Outbox is the outbox, newest first.
type Outbox struct{ Mails []OutboxEntry }

// OutboxEntry is one mail in the list.
type OutboxEntry struct {
	URL, To, Subject string
	At               time.Time
	Test, Sent       bool
	Held             bool   // it is never sent to a mail server
	File             string // name of the attachment, empty for none
	Problem          string // why a mail server refused it
}

// Mail is one mail with everything in it.
type Mail struct {
	From, To, Bcc, Subject string
	At                     time.Time
	MessageID              string
	Plain                  string
	HTMLURL                string // the letter alone, for a frame
	File, FileURL          string
}

// stamp returns the time of a mail by the clock for letters that are about no business.
func stamp(at time.Time) string { return clock.Exact(at, clock.Zone(clock.Home)) }

func machine(at time.Time) string { return at.UTC().Format(time.RFC3339) }
