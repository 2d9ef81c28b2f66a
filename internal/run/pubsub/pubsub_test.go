package pubsub_test

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
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/run/pubsub"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// process returns a hub that runs as if in its own process.
func process(t *testing.T, url string) (*pubsub.Hub, *pgxpool.Pool) {
	t.Helper()
	pool, err := db.Open(t.Context(), url, 4)
	check.Must(t, err)
	hub := pubsub.New(pool, pool.Config().ConnConfig, slog.New(slog.DiscardHandler))
	listening := subscribe(t, hub, "any") // before the hub runs
	run(t, hub, pool)
	fired(t, "a subscriber is woken when the hub starts to listen", listening)
	return hub, pool
}

// run runs a hub until the test ends, and then closes its pool.
func run(t *testing.T, hub *pubsub.Hub, pool *pgxpool.Pool) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { hub.Run(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done; pool.Close() })
}

func subscribe(t *testing.T, hub *pubsub.Hub, topic string) <-chan struct{} {
	t.Helper()
	changed, cancel := hub.Subscribe(topic)
	t.Cleanup(cancel)
	return changed
}

func fired(t *testing.T, what string, changed <-chan struct{}) {
	t.Helper()
	select {
	case <-changed:
	case <-time.After(25 * time.Second):
		t.Fatalf("not within 25 s: %s", what)
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
		from, to *pubsub.Hub
	}{{"one to two", one, two}, {"two to one", two, one}} {
		mine, theirs, other := subscribe(t, c.from, c.name[:3]), subscribe(t, c.to, c.name[:3]), subscribe(t, c.to, "other")
		c.from.Announce(c.name[:3])
		fired(t, c.name+": the sender's own subscriber is woken at once", mine)
		fired(t, c.name, theirs)
		silent(t, c.name+": another topic fired", other)
		silent(t, c.name+": the sender's own event came back", mine)
	}
}

func TestManyTopicsArriveAtOnce(t *testing.T) {
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

func TestAKilledConnectionReconnectsAndWakesSubscribers(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	one, pool := process(t, url)
	two, _ := process(t, url)
	changed := subscribe(t, two, "t")
	killed, err := pool.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'")
	if err != nil || killed.RowsAffected() != 2 {
		t.Fatalf("killed %d connections, %v", killed.RowsAffected(), err)
	}
	fired(t, "a subscriber is woken after the break", changed)
	one.Announce("t")
	fired(t, "events arrive again", changed)
}

func TestNoEventIsLostWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	one, pool := process(t, url)
	two, _ := process(t, url)
	cfg := pool.Config().ConnConfig.Copy()
	name := cfg.Database
	cfg.Database = "postgres"
	outside, err := pgx.ConnectConfig(t.Context(), cfg)
	check.Must(t, err)
	defer outside.Close(context.Background())
	exec := func(statement string, args ...any) { dbtest.Exec(t, outside, statement, args...) }
	changed := subscribe(t, two, "t")
	exec("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS false")
	exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
	one.Announce("t")
	if err := one.Flush(t.Context()); err == nil {
		// If the loop took the topic first, Flush has nothing to announce.
		silent(t, "an event arrived while the database was away", changed)
	}
	exec("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS true")
	fired(t, "a subscriber is woken when the database is back", changed)
}

func TestTopicsOfAFailedFlushAreSentByTheNext(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	two, _ := process(t, url)
	pool, err := db.Open(t.Context(), url, 1)
	check.Must(t, err)
	defer pool.Close()
	command := pubsub.New(pool, nil, slog.New(slog.DiscardHandler)) // a command does not listen
	changed := subscribe(t, two, "t")
	command.Announce("t")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if command.Flush(ended) == nil {
		t.Fatal("Flush succeeded with a cancelled context")
	}
	check.Must(t, command.Flush(t.Context()))
	fired(t, "the topic arrives with the second Flush", changed)
}

func TestAnnouncingIsRetriedUntilItSucceeds(t *testing.T) {
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
	check.Must(t, err)
	one := pubsub.New(pool, cfg.ConnConfig, slog.New(slog.DiscardHandler))
	run(t, one, pool)
	one.Announce("t")
	fired(t, "the topic arrives at last", changed)
}

func TestASlowSubscriberDelaysNobody(t *testing.T) {
	t.Parallel()
	hub := pubsub.New(nil, nil, slog.New(slog.DiscardHandler))
	slow, quick := subscribe(t, hub, "t"), subscribe(t, hub, "t")
	for range 1000 {
		hub.Announce("t")
		fired(t, "the quick subscriber is woken by each event", quick)
	}
	fired(t, "the slow subscriber is woken", slow)
	silent(t, "a thousand events woke the slow subscriber twice", slow)
	gone, cancel := hub.Subscribe("t")
	cancel()
	hub.Announce("t")
	silent(t, "a cancelled subscriber was woken", gone)
	fired(t, "the other subscribers are still woken", quick)
}

func TestTooManyWaitingEventsBecomeOne(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	two, pool := process(t, url)
	one := pubsub.New(pool, nil, slog.New(slog.DiscardHandler))
	changed := subscribe(t, two, "something else")
	for i := range 10_001 {
		one.Announce(strings.Repeat("t", i%80) + fmt.Sprint(i))
	}
	check.Must(t, one.Flush(t.Context()))
	fired(t, "all subscribers are woken", changed)
}

func TestCloseMayBeCalledTwice(t *testing.T) {
	t.Parallel()
	hub := pubsub.New(nil, nil, slog.New(slog.DiscardHandler))
	select {
	case <-hub.Closed():
		t.Fatal("the hub is closed before Close")
	default:
	}
	hub.Close()
	hub.Close()
	<-hub.Closed()
}
