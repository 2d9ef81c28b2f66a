package throttle_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/db"
	"forecourt/internal/dbtest"
	"forecourt/internal/fault"
	"forecourt/internal/throttle"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestOnlyFailuresCount(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	th := throttle.New(db.New(pool), []byte("key"))
	limit := throttle.Limit{Subject: "sign-in", Most: 2, Window: time.Hour}
	ctx := t.Context()
	for range 5 { // five that succeed
		if err := errors.Join(th.Take(ctx, limit, "ann"), th.Succeed(ctx, limit, "ann")); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := th.Take(ctx, limit, "ann"); err != nil {
			t.Fatal(err)
		}
	}
	var wait *throttle.Error
	err := th.Take(ctx, limit, "ann")
	if !errors.As(err, &wait) || wait.After <= 59*time.Minute || wait.After > time.Hour || fault.CodeOf(err) != fault.TooMany {
		t.Errorf("a try after two failures: %v", err)
	}
	if err := th.Take(ctx, limit, "bob"); err != nil {
		t.Errorf("another key is limited: %v", err)
	}
	if err := th.Take(ctx, throttle.Limit{Subject: "token", Most: 1, Window: time.Hour}, "ann"); err != nil {
		t.Errorf("another subject is limited: %v", err)
	}
	if _, err := pool.Exec(ctx, "UPDATE throttle SET since = now() - interval '61 minutes'"); err != nil {
		t.Fatal(err)
	}
	if err := th.Take(ctx, limit, "ann"); err != nil {
		t.Errorf("after the window: %v", err)
	}
	if err := errors.Join(th.Take(ctx, limit, "ann"), th.Forget(ctx, limit, "ann"), th.Take(ctx, limit, "ann")); err != nil {
		t.Errorf("a try after Forget: %v", err)
	}
}

func TestConcurrentTriesStayWithinTheLimit(t *testing.T) {
	t.Parallel()
	th := throttle.New(db.New(dbtest.Pool(t)), []byte("key"))
	limit := throttle.Limit{Subject: "sign-in", Most: 5, Window: time.Hour}
	var through atomic.Int32
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			if err := th.Take(t.Context(), limit, "ann"); err == nil {
				through.Add(1)
			} else if fault.CodeOf(err) != fault.TooMany {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if through.Load() != 5 {
		t.Errorf("%d tries came through, want 5", through.Load())
	}
}
