package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"time"

	"github.com/SherClockHolmes/webpush-go"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"forecourt/db"
	"forecourt/internal/run/outbound"
	"forecourt/internal/run/throttle"
)

const (
	// keepFor is how long a message is of use: after that the food is cold. A push service may keep it for the rest of that time for a browser
	// that is offline.
	keepFor = time.Hour
	// tries of one message. The delay before the nth retry is River's, n⁴ seconds, a quarter of an hour in all.
	tries = 6
	// snooze is how long a message waits while as many calls of its push service are under way as may be.
	snooze = 2 * time.Second
)

// Ready says that a location has finished its part of an order.
type Ready struct {
	Shop, TrxID, Loc      string
	Business, Table, Name string // Table or Name, or neither
	Completed             bool   // nothing else is left of the order
}

// Message is what the browser gets (PUSH-11).
type Message struct {
	Data         Data         `json:"data"`
	Notification Notification `json:"notification"`
}

// Data is for the page.
type Data struct {
	Loc string `json:"loc"` // the location that is done
	URL string `json:"url"` // the order's page, a path
}

// Notification is for the customer.
type Notification struct {
	Title string `json:"title"`
	Body  string `json:"body"`
}

// Queue queues a message to the browser that waits for an order: a location is done. The message is sent once tx commits. If no browser
// waits for the order, Queue does nothing.
func (p *Push) Queue(ctx context.Context, tx pgx.Tx, shop, trx, loc string) error {
	_, err := p.queue.InsertTx(ctx, tx, message{Shop: shop, TrxID: trx, Loc: loc}, nil)
	return err
}

// message is the job that sends one message about one location of one order.
type message struct {
	Shop  string `json:"client"`
	TrxID string `json:"trx"`
	Loc   string `json:"loc"`
}

func (message) Kind() string { return "push" }

// InsertOpts keeps a second tap from queueing a message that is still queued.
func (message) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: tries, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateScheduled,
		rivertype.JobStateRunning, rivertype.JobStateRetryable,
	}}}
}

// Words write the messages.
type Words struct {
	Ready func(Ready) Message
	Note  func(Note) Message
}

// Register lets workers send the messages of p in the words of w.
func Register(workers *river.Workers, p *Push, w Words) {
	river.AddWorker(workers, &messageWorker{push: p, words: w.Ready})
	river.AddWorker(workers, &noteWorker{push: p, words: w.Note})
	river.AddWorker(workers, &syncWorker{push: p})
}

type messageWorker struct {
	river.WorkerDefaults[message]
	push  *Push
	words func(Ready) Message
}

// Work sends one message. If the push service does not answer, it is asked again later; if it no longer knows the browser, the
// registration ends.
func (w *messageWorker) Work(ctx context.Context, j *river.Job[message]) error {
	row, err := w.push.queries.PushRegistrationOfOrder(ctx, j.Args.TrxID, j.Args.Shop, j.Args.Loc)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	log := w.push.log.With("transaction", j.Args.TrxID, "loc", j.Args.Loc)
	return w.push.deliver(ctx, log, j.CreatedAt, row.PushRegistration, w.words(Ready{
		Shop: j.Args.Shop, TrxID: j.Args.TrxID, Loc: j.Args.Loc,
		Business: row.Business, Table: row.TableName, Name: row.CustomerName, Completed: row.Completed,
	}))
}

// deliver sends a message that was queued at since. If it returns an error, the job is tried again later.
func (p *Push) deliver(ctx context.Context, log *slog.Logger, since time.Time, r db.PushRegistration, m Message) error {
	if time.Since(since) > keepFor {
		return river.JobCancel(errors.New("the message is too old"))
	}
	if name := stranger(r.Endpoint); name != "" {
		release, ok := p.strangers.Take(throttle.Known(name))
		if !ok {
			return river.JobSnooze(snooze)
		}
		defer release()
	}
	status, err := p.send(ctx, r, m, since.Add(keepFor))
	switch {
	case errors.Is(err, outbound.ErrForbidden), status == http.StatusNotFound, status == http.StatusGone:
		log.InfoContext(ctx, "a push registration is gone", "status", status)
		_, err := p.queries.PushRegistrationRemove(ctx, r.Key)
		return err
	case err != nil:
		// The library's error may quote the endpoint, which is as good as a key.
		return errors.New("the push service cannot be reached")
	case status < 300:
		log.InfoContext(ctx, "push message sent")
		return nil
	case status == http.StatusTooManyRequests, status >= 500:
		return fmt.Errorf("the push service answers %d", status)
	default:
		log.WarnContext(ctx, "the push service refuses a message for good", "status", status)
		return river.JobCancel(fmt.Errorf("the push service answers %d", status))
	}
}

func (p *Push) send(ctx context.Context, r db.PushRegistration, m Message, until time.Time) (status int, err error) {
	body, err := json.Marshal(m)
	if err != nil {
		return 0, err
	}
	res, err := webpush.SendNotificationWithContext(ctx, body,
		&webpush.Subscription{Endpoint: r.Endpoint, Keys: webpush.Keys{Auth: r.Auth, P256dh: r.P256dh}},
		&webpush.Options{
			HTTPClient: p.client, Subscriber: p.cfg.Contact, TTL: int(math.Ceil(time.Until(until).Seconds())), Urgency: webpush.UrgencyHigh,
			VAPIDPublicKey: p.cfg.Keys.Public, VAPIDPrivateKey: p.cfg.Keys.Private.Reveal(),
		})
	if err != nil {
		return 0, err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4<<10))
	return res.StatusCode, res.Body.Close()
}
