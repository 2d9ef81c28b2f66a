package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/throttle"
)

// Config holds what writing and sending letters needs.
type Config struct {
	Pool    *pgxpool.Pool
	Writers map[string]Writer // by Request.Kind
	Sender  string            // "Name <address>"
	Server  *Server           // nil keeps the letters in the outbox
	Key     secret.Key        // hashes the addresses that limits count by
	Log     *slog.Logger
}

// Register lets workers write and send letters.
func Register(workers *river.Workers, c Config) {
	river.AddWorker(workers, &worker{cfg: c})
}

type worker struct {
	river.WorkerDefaults[job]
	cfg Config
}

// Work writes a letter once and sends it at least once: after a kill between the server's acceptance and our record of it, the letter is
// sent again with the same Message-ID.
func (w *worker) Work(ctx context.Context, j *river.Job[job]) error {
	log := w.cfg.Log.With("kind", j.Args.Letter, "try", j.Attempt)
	letter, err := w.write(ctx, j.Args)
	if err != nil {
		log.WarnContext(ctx, "a mail could not be written", "error", err)
		return err
	}
	if letter == nil || letter.Held != "" || letter.SentAt != nil || w.cfg.Server == nil {
		return nil
	}
	log = log.With("mail", letter.ID)
	queries := db.New(w.cfg.Pool)
	err = w.cfg.Server.send(ctx, *letter)
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		log.WarnContext(ctx, "the mail server refuses a mail for good", "code", refused.Code)
		return errors.Join(river.JobCancel(refused), queries.MailRefused(ctx, refused.Error(), letter.ID))
	case err != nil:
		log.WarnContext(ctx, "a mail could not be sent", "error", err)
		return fmt.Errorf("sending mail %s: %w", letter.ID, err)
	}
	log.InfoContext(ctx, "mail sent")
	return queries.MailSent(ctx, letter.ID)
}

// write returns the letter of a request, written now or before; nil if there is nothing left to say.
func (w *worker) write(ctx context.Context, j job) (*db.Mail, error) {
	var kept *db.Mail
	err := pgx.BeginFunc(ctx, w.cfg.Pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		row, err := queries.MailByKey(ctx, j.Key)
		if err == nil {
			kept = &row
			return nil
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		writer := w.cfg.Writers[j.Letter]
		if writer == nil {
			return river.JobCancel(fmt.Errorf("nobody writes letters of the kind %q", j.Letter))
		}
		letter, err := writer(ctx, tx, j.Data)
		if err != nil || letter == nil {
			return err
		}
		if err := w.reserve(ctx, tx, letter); err != nil {
			return err
		}
		fresh := w.row(j, letter)
		if err := queries.MailAdd(ctx, fresh); err != nil {
			return err
		}
		row, err = queries.MailGet(ctx, fresh.ID)
		kept = &row
		return err
	})
	return kept, err
}

// testToAddress limits the letters about test money to one address: anybody can make businesses and name an address for their receipts.
var testToAddress = throttle.Limit{Subject: "test mail to address", Most: 10, Window: 24 * time.Hour}

// reserve counts a letter against its limits before it is sent. A letter beyond one is held.
func (w *worker) reserve(ctx context.Context, tx pgx.Tx, l *Letter) error {
	switch {
	case l.Payment != "":
		queries := db.New(tx)
		if err := queries.MailRefundsLock(ctx, l.Payment); err != nil {
			return err
		}
		sent, err := queries.MailRefundsOf(ctx, l.Payment)
		if sent >= MostRefunds {
			l.Held = HeldByLimit
		}
		return err
	case l.Business == "", l.Held != "", w.cfg.Server == nil:
		return nil
	}
	counts := []throttle.Count{{Limit: ToAddress, What: Mailbox(l.Business, l.To)}}
	if l.Test {
		counts = append(counts, throttle.Count{Limit: testToAddress, What: strings.ToLower(l.To)})
	}
	err := throttle.New(db.New(tx), w.cfg.Key).TakeAll(ctx, counts)
	var full *throttle.Error
	if errors.As(err, &full) {
		l.Held = HeldByLimit
		return nil
	}
	return err
}

func (w *worker) row(j job, l *Letter) db.MailAddParams {
	id := uuid.New()
	row := db.MailAddParams{
		ID: id, Key: j.Key, Kind: j.Letter, MessageID: id.String() + "@" + domain(w.cfg.Sender),
		Sender: w.cfg.Sender, Recipient: l.To, Bcc: l.Bcc, Subject: l.Subject, Plain: l.Plain, Html: l.HTML, TestMode: l.Test, Held: l.Held,
	}
	if l.File != nil {
		row.FileName, row.File = l.File.Name, l.File.Content
	}
	return row
}

// domain returns the part after the @ of "Name <address>".
func domain(sender string) string {
	return strings.TrimRight(sender[strings.LastIndexByte(sender, '@')+1:], "> ")
}
