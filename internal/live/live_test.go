package live_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/dbtest"
	"forecourt/internal/live"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// process is a hub that runs as if it were alone in a process.
func process(t *testing.T, url string) (*live.Hub, *pgxpool.Pool) {
	t.Helper()
	pool, err := db.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	hub := live.New(pool, pool.Config().ConnConfig, slog.New(slog.DiscardHandler))
	listening := subscribe(t, hub, "any") // before it begins
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { hub.Run(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done; pool.Close() })
	fired(t, "a hub that begins to listen says look again", listening)
	return hub, pool
}

func subscribe(t *testing.T, hub *live.Hub, topic string) <-chan struct{} {
	t.Helper()
	changed, cancel := hub.Subscribe(topic)
	t.Cleanup(cancel)
	return changed
}

func fired(t *testing.T, what string, changed <-chan struct{}) {
	t.Helper()
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Fatalf("after 10 s still not: %s", what)
	}
}

func silent(t *testing.T, what string, changed <-chan struct{}) {
	t.Helper()
	select {
	case <-changed:
		t.Error(what)
	default:
	}
}

func TestTwoProcessesDeliverEachOthersEvents(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	one, _ := process(t, url)
	two, _ := process(t, url)
	for _, c := range []struct {
		name     string
		from, to *live.Hub
	}{{"one to two", one, two}, {"two to one", two, one}} {
		mine, theirs, other := subscribe(t, c.from, c.name[:3]), subscribe(t, c.to, c.name[:3]), subscribe(t, c.to, "other")
		c.from.Announce(c.name[:3])
		fired(t, c.name+": its own subscriber hears at once", mine)
		fired(t, c.name, theirs)
		silent(t, c.name+": another topic fired", other)
		silent(t, c.name+": its own event came back", mine)
	}
}

func TestManyTopicsAtOnceAllArrive(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	one, _ := process(t, url)
	two, _ := process(t, url)
	var all []<-chan struct{}
	var topics []string
	for i := range 1000 {
		topics = append(topics, fmt.Sprintf("%030d", i)) // 31 KB of payload
		all = append(all, subscribe(t, two, topics[i]))
	}
	for _, topic := range topics {
		one.Announce(topic)
	}
	for i := range all {
		fired(t, topics[i], all[i])
	}
}

func TestAConnectionThatIsKilledComesBackAndSaysLookAgain(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	one, pool := process(t, url)
	two, _ := process(t, url)
	changed := subscribe(t, two, "t")
	killed, err := pool.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'")
	if err != nil || killed.RowsAffected() != 2 {
		t.Fatalf("killed %d connections, %v", killed.RowsAffected(), err)
	}
	fired(t, "woken after the break", changed)
	one.Announce("t")
	fired(t, "events arrive again", changed)
}

func TestADatabaseThatIsAwayLosesNoEvent(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	one, pool := process(t, url)
	two, _ := process(t, url)
	cfg := pool.Config().ConnConfig.Copy()
	name := cfg.Database
	cfg.Database = "postgres"
	outside, err := pgx.ConnectConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close(context.Background())
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := outside.Exec(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	changed := subscribe(t, two, "t")
	exec("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS false")
	exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
	one.Announce("t")
	if err := one.Flush(t.Context()); err == nil {
		// The loop may have taken the topic, in which case there was nothing to tell here.
		silent(t, "an event passed through a database that is away", changed)
	}
	exec("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS true")
	fired(t, "woken when the database is back", changed)
}

func TestWhatAFailedStatementHeldIsToldByTheNext(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	two, _ := process(t, url)
	pool, err := db.Open(t.Context(), url, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	command := live.New(pool, nil, slog.New(slog.DiscardHandler)) // a command does not listen
	changed := subscribe(t, two, "t")
	command.Announce("t")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if command.Flush(ended) == nil {
		t.Fatal("told after the end")
	}
	if err := command.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	fired(t, "the topic was kept", changed)
}

func TestTellingIsTriedUntilItWorks(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	two, outside := process(t, url)
	changed := subscribe(t, two, "t")
	cfg := outside.Config()
	var tries atomic.Int32
	cfg.BeforeConnect = func(context.Context, *pgx.ConnConfig) error {
		if tries.Add(1) < 4 {
			return errors.New("away")
		}
		return nil
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	one := live.New(pool, cfg.ConnConfig, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { one.Run(ctx); close(done) }()
	one.Announce("t")
	fired(t, "told at last", changed)
	stop()
	<-done
}

func TestASubscriberThatDoesNotLookHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	hub := live.New(nil, nil, slog.New(slog.DiscardHandler))
	slow, quick := subscribe(t, hub, "t"), subscribe(t, hub, "t")
	for range 1000 {
		hub.Announce("t")
		fired(t, "the quick one hears each", quick)
	}
	fired(t, "the slow one hears", slow)
	silent(t, "a thousand events are one reason to look", slow)
	gone, cancel := hub.Subscribe("t")
	cancel()
	hub.Announce("t")
	silent(t, "a subscriber that ended was woken", gone)
	fired(t, "the others still hear", quick)
}

func TestTooManyEventsForADatabaseThatIsAwayBecomeOne(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	two, pool := process(t, url)
	one := live.New(pool, nil, slog.New(slog.DiscardHandler))
	changed := subscribe(t, two, "something else")
	for i := range 10_001 {
		one.Announce(strings.Repeat("t", i%80) + fmt.Sprint(i))
	}
	if err := one.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	fired(t, "everybody looks again", changed)
}

func TestClosingTwiceIsClosing(t *testing.T) {
	t.Parallel()
	hub := live.New(nil, nil, slog.New(slog.DiscardHandler))
	select {
	case <-hub.Closed():
		t.Fatal("closed before")
	default:
	}
	hub.Close()
	hub.Close()
	<-hub.Closed()
}
