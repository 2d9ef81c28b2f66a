// Package mail sends letters. A rule queues a request for a letter in the database transaction that the letter is about. A job then writes
// the letter, stores it and gives it to the mail server. Without a mail server the stored letters are the outbox.
package mail

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/internal/run/throttle"
	"forecourt/internal/run/tracing"
)

// Request asks for one letter to one person.
type Request struct {
	Kind string // which letter, as its writer knows it
	Key  string // identifies the letter; one key is written once, and sent again only if a kill left open whether it was sent
	Data any    // what the writer needs, as JSON; never a secret
	// Later sends the letter after all others that wait. A person can cause as many letters to their own account as they like.
	Later bool
}

// Letter is a mail that can be sent.
type Letter struct {
	To, Bcc     string // Bcc may be empty
	Subject     string
	Plain, HTML string
	File        *File // nil for none
	Test        bool  // about test money
	// Held says why the letter stays in the outbox, even with a mail server: HeldForTeam, HeldByLimit, or "" if it does not.
	Held string
	// Business is the code of the business whose limit of letters to one address counts this letter. Empty for a letter without a
	// limit.
	Business string
	// Payment is the live payment that a letter about a refund is about; "" for any other letter. It counts in place of Business.
	Payment string
}

// Why a letter is held.
const (
	HeldForTeam = "team"  // in test mode only the team of the business gets email
	HeldByLimit = "limit" // of letters to one address, or about the refunds of one payment
)

// MostRefunds is how many letters about refunds of one live payment are sent within a day. They share no limit with other letters, or a
// business that has sent five letters to an address could not report a refund. Payments limit how many of them there can be.
const MostRefunds = 5

// ToAddress limits the letters of a business to one address, except for receipts of live payments. Mailbox makes its keys.
var ToAddress = throttle.Limit{Subject: "business to address", Most: 5, Window: 24 * time.Hour}

// Mailbox returns the key by which ToAddress counts.
func Mailbox(business, address string) string { return business + " " + strings.ToLower(address) }

// File goes with a letter.
type File struct {
	Name    string // its extension tells what it is
	Content []byte
}

// Writer writes the letter of a request, reading its data from tx. It returns nil if there is nothing left to say.
type Writer func(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*Letter, error)

// Queue takes requests.
type Queue struct{ client *river.Client[pgx.Tx] }

// NewQueue returns a Queue on a migrated database.
func NewQueue(pool *pgxpool.Pool) *Queue { return &Queue{tracing.NewQueue(pool)} }

// Add queues requests in a database transaction: the letters are sent when that one commits, and only then.
func (q *Queue) Add(ctx context.Context, tx pgx.Tx, requests ...Request) error {
	if len(requests) == 0 {
		return nil
	}
	jobs := make([]river.InsertManyParams, len(requests))
	for i, r := range requests {
		data, err := json.Marshal(r.Data)
		if err != nil {
			return err
		}
		jobs[i].Args = job{Letter: r.Kind, Key: r.Key, Data: data}
		if r.Later {
			jobs[i].InsertOpts = &river.InsertOpts{Priority: river.PriorityDefault + 1}
		}
	}
	_, err := q.client.InsertManyTx(ctx, tx, jobs)
	return err
}

type job struct {
	Letter string          `json:"letter"`
	Key    string          `json:"key"`
	Data   json.RawMessage `json:"data"`
}

func (job) Kind() string { return "mail" }

// tries is how often the program tries to send a letter that the server does not accept. The delay before the nth retry is River's, n⁴
// seconds: 1 s, 16 s, 81 s and so on, three weeks in all. A letter that the server refuses for good is not sent again.
const tries = 25

// Lane is River's queue of letters. Other work must not wait for a slow mail server.
const Lane = "mail"

func (job) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: tries, Queue: Lane} }
