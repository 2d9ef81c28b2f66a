package mail_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	netmail "net/mail"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fake"
	"forecourt/internal/run/mail"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var letter = mail.Letter{
	To: "pat@example.com", Bcc: `"Books" <books@example.com>`, Subject: "Rückerstattung – done", Plain: "Hello Pat", HTML: "<p>Hello <b>Pat</b></p>",
	File: &mail.File{Name: "receipt.pdf", Content: []byte("%PDF-1.7 made up")}, Test: true,
}

// post is a queue that writes letters and sends them to a server.
type post struct {
	t       *testing.T
	pool    *pgxpool.Pool
	queue   *mail.Queue
	log     *bytes.Buffer
	written atomic.Int64
}

func open(t *testing.T, address string, writer mail.Writer) *post {
	t.Helper()
	p := &post{t: t, pool: dbtest.Pool(t), log: &bytes.Buffer{}}
	var server *mail.Server
	var err error
	if address != "" {
		if server, err = mail.ParseServer(address); err != nil {
			t.Fatal(err)
		}
	}
	if writer == nil {
		writer = func(context.Context, pgx.Tx, json.RawMessage) (*mail.Letter, error) {
			p.written.Add(1)
			return &letter, nil
		}
	}
	p.queue = mail.NewQueue(p.pool)
	workers := river.NewWorkers()
	mail.Register(workers, mail.Config{
		Pool: p.pool, Writers: map[string]mail.Writer{"greeting": writer}, Sender: `"Forecourt" <no-reply@forecourt.test>`,
		Server: server, Log: slog.New(slog.NewTextHandler(p.log, nil)),
	})
	client, err := river.NewClient(riverpgxv5.New(p.pool), &river.Config{
		Workers: workers, Queues: map[string]river.QueueConfig{mail.Lane: {MaxWorkers: 2}}, PollOnly: true,
		Logger: slog.New(slog.DiscardHandler),
	})
	check.Must(t, err)
	check.Must(t, client.Start(t.Context()))
	t.Cleanup(func() { _ = client.StopAndCancel(context.Background()) })
	return p
}

func newPeer(t *testing.T, auth string, answer func(n int) error) *fake.MailServer {
	t.Helper()
	server := &fake.MailServer{Auth: auth, Answer: answer}
	check.Must(t, server.Start(t.Context()))
	t.Cleanup(func() { _ = server.Close() })
	return server
}

func (p *post) request(key, kind string) {
	p.t.Helper()
	err := pgx.BeginFunc(p.t.Context(), p.pool, func(tx pgx.Tx) error {
		return p.queue.Add(p.t.Context(), tx, mail.Request{Kind: kind, Key: key})
	})
	check.Must(p.t, err)
}

// ends waits until the newest job is in one of the states.
func (p *post) ends(states ...rivertype.JobState) {
	p.t.Helper()
	apptest.Eventually(p.t, "the job ends", func() bool {
		// Run a failed job again at once: this does not test how long it waits.
		_, err := p.pool.Exec(p.t.Context(), "UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE state = 'retryable'")
		check.Must(p.t, err)
		var state string
		check.Must(p.t, p.pool.QueryRow(p.t.Context(), "SELECT state::text FROM river_job ORDER BY id DESC LIMIT 1").Scan(&state))
		return slices.Contains(states, rivertype.JobState(state))
	})
}

func (p *post) row() (sent bool, plain, problem, id string) {
	p.t.Helper()
	err := p.pool.QueryRow(p.t.Context(), "SELECT sent_at IS NOT NULL, plain, problem, message_id FROM mail").Scan(&sent, &plain, &problem, &id)
	check.Must(p.t, err)
	return sent, plain, problem, id
}

func messageID(t *testing.T, m fake.Letter) string {
	t.Helper()
	parsed, err := netmail.ReadMessage(strings.NewReader(m.Text))
	check.Must(t, err)
	return parsed.Header.Get("Message-Id")
}

func TestALetterIsSent(t *testing.T) {
	t.Parallel()
	for name, auth := range map[string]string{"without a password": "", "with a password": "post:Canary-smtp-1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newPeer(t, auth, nil)
			p := open(t, server.URL, nil)
			p.request("once", "greeting")
			p.ends(rivertype.JobStateCompleted)
			got := server.Letters()
			if len(got) != 1 || got[0].From != "no-reply@forecourt.test" || !slices.Equal(got[0].To, []string{"pat@example.com", "books@example.com"}) {
				t.Fatalf("the server received %+v", got)
			}
			m, err := netmail.ReadMessage(strings.NewReader(got[0].Text))
			check.Must(t, err)
			sent, plain, _, id := p.row()
			for header, want := range map[string]string{
				"Message-Id": "<" + id + ">", "X-Test-Mode": "true", "Auto-Submitted": "auto-generated", "Bcc": "", "To": "<pat@example.com>",
			} {
				check.Equal(t, m.Header.Get(header), want, "%s", header)
			}
			for _, part := range []string{"multipart/mixed", "multipart/alternative", "text/plain", "text/html", "Hello Pat", "<b>Pat</b>", `filename="receipt.pdf"`, "application/pdf"} {
				check.Contains(t, got[0].Text, part, "the mail lacks")
			}
			if !sent || plain != "" {
				t.Errorf("sent = %t, and %q is still stored", sent, plain)
			}
			for _, private := range []string{"Canary", "pat@example.com", "books@"} {
				check.Lacks(t, p.log.String(), private, "the log contains: %s", p.log)
			}
		})
	}
}

func TestAPermanentlyRefusedLetterIsNotSentAgain(t *testing.T) {
	t.Parallel()
	server := newPeer(t, "", func(int) error { return &smtp.SMTPError{Code: 550, Message: "no such mailbox pat@example.com"} })
	p := open(t, server.URL, nil)
	p.request("once", "greeting")
	p.ends(rivertype.JobStateCancelled)
	sent, plain, problem, _ := p.row()
	if sent || plain == "" || problem != "refused for good with code 550" || len(server.Letters()) != 1 {
		t.Errorf("sent = %t, stored %q, problem %q, tries %d", sent, plain, problem, len(server.Letters()))
	}
	check.Lacks(t, p.log.String(), "pat@example.com", "the log names the recipient: %s", p.log)
}

func TestALetterIsSentOnlyToAPlainAddress(t *testing.T) {
	t.Parallel()
	server := newPeer(t, "", nil)
	p := open(t, server.URL, func(context.Context, pgx.Tx, json.RawMessage) (*mail.Letter, error) {
		return &mail.Letter{To: "a1<target@x.example>", Subject: "Hello", Plain: "Hello", HTML: "<p>Hello"}, nil
	})
	p.request("once", "greeting")
	p.ends(rivertype.JobStateCancelled)
	if sent, _, problem, _ := p.row(); sent || problem == "" || len(server.Letters()) != 0 {
		t.Errorf("sent = %t, problem %q, the server received %d", sent, problem, len(server.Letters()))
	}
}

func TestARetriedLetterIsTheSame(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]error{
		"when the server asks to": &smtp.SMTPError{Code: 451, Message: "later"}, "when the connection breaks": io.ErrClosedPipe,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newPeer(t, "", func(n int) error {
				if n == 0 {
					return first
				}
				return nil
			})
			p := open(t, server.URL, nil)
			p.request("once", "greeting")
			p.ends(rivertype.JobStateCompleted)
			got := server.Letters()
			if len(got) != 2 || messageID(t, got[0]) != messageID(t, got[1]) || messageID(t, got[0]) == "" {
				t.Errorf("%d messages, want 2 with the same id", len(got))
			}
			if sent, _, _, _ := p.row(); !sent || p.written.Load() != 1 {
				t.Errorf("sent = %t, written %d times", sent, p.written.Load())
			}
			t.Run("the failure to send is logged once (RCPT-08)", func(t *testing.T) {
				log := p.log.String()
				check.Equal(t, strings.Count(log, `level=WARN msg="a mail could not be sent" kind=greeting try=1`), 1,
					"the failure was not logged exactly once: %s", log)
			})
		})
	}
}

func TestAFailureToWriteALetterIsLoggedAndRetried(t *testing.T) {
	t.Parallel()
	server := newPeer(t, "", nil)
	var tries atomic.Int64
	p := open(t, server.URL, func(context.Context, pgx.Tx, json.RawMessage) (*mail.Letter, error) {
		if tries.Add(1) == 1 {
			return nil, io.ErrUnexpectedEOF
		}
		return &letter, nil
	})
	p.request("once", "greeting")
	p.ends(rivertype.JobStateCompleted)
	check.Equal(t, len(server.Letters()), 1, "messages")
	t.Run("the failure to write is logged once (RCPT-08)", func(t *testing.T) {
		log := p.log.String()
		check.Equal(t, strings.Count(log, `level=WARN msg="a mail could not be written" kind=greeting try=1`), 1,
			"the failure was not logged exactly once: %s", log)
	})
}

func TestALetterWithTheSameKeyIsSentOnce(t *testing.T) {
	t.Parallel()
	server := newPeer(t, "", nil)
	p := open(t, server.URL, nil)
	p.request("once", "greeting")
	p.ends(rivertype.JobStateCompleted)
	p.request("once", "greeting")
	p.ends(rivertype.JobStateCompleted)
	if len(server.Letters()) != 1 || p.written.Load() != 1 {
		t.Errorf("%d messages, written %d times, want 1 and 1", len(server.Letters()), p.written.Load())
	}
}

func TestWithoutAServerLettersStayInTheOutbox(t *testing.T) {
	t.Parallel()
	p := open(t, "", nil)
	p.request("once", "greeting")
	p.ends(rivertype.JobStateCompleted)
	if sent, plain, _, _ := p.row(); sent || plain != "Hello Pat" {
		t.Errorf("sent = %t, stored %q", sent, plain)
	}
	p.request("other", "nobody writes this")
	p.ends(rivertype.JobStateCancelled)
}

func TestParseServer(t *testing.T) {
	t.Parallel()
	for address, fine := range map[string]bool{
		"smtp://user:pass@mail.example:587": true, "smtps://mail.example": true, "smtp://127.0.0.1:25": true, "smtp://[::1]:25/": true,
		"": false, "mail.example:25": false, "http://mail.example": false, "smtp://": false, "smtp://mail.example:0": false,
		"smtp://user:Canary@mail.example:99999": false, "smtp://mail.example/path": false, "smtp://mail.example?tls=off": false, "smtp://user:Can%zzary@x": false,
	} {
		_, err := mail.ParseServer(address)
		if (err == nil) != fine {
			t.Errorf("%q: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "Can") {
			t.Errorf("the error repeats the password: %v", err)
		}
	}
}
