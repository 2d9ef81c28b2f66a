package demo

import (
	"time"

	"forecourt/internal/clock"
)

// Outbox is the outbox, newest first.
type Outbox struct{ Mails []OutboxEntry }

// OutboxEntry is one mail in the list.
type OutboxEntry struct {
	URL, To, Subject string
	At               time.Time
	Test, Sent       bool
	Held             bool   // no mail server ever gets it
	File             string // name of what goes with it, empty for nothing
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

// stamp shows the clock that letters about no business go by.
func stamp(at time.Time) string { return clock.Exact(at, clock.Zone(clock.Home)) }

func machine(at time.Time) string { return at.UTC().Format(time.RFC3339) }
