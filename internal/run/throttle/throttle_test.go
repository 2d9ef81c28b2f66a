package throttle_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestOnlyFailuresCount(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	th := throttle.New(db.New(pool), []byte("key"))
	limit := throttle.Limit{Subject: "sign-in", Most: 2, Window: time.Hour}
	ctx := t.Context()
	for range 5 { // five that succeed
		check.Must(t, errors.Join(th.Take(ctx, limit, "ann"), th.Succeed(ctx, limit, "ann")))
	}
	for range 2 {
		check.Must(t, th.Take(ctx, limit, "ann"))
	}
	var wait *throttle.Error
	err := th.Take(ctx, limit, "ann")
	if !errors.As(err, &wait) || wait.After <= 59*time.Minute || wait.After > time.Hour || fault.CodeOf(err) != fault.TooMany {
		t.Errorf("a try after two failures: %v", err)
	}
	check.NoError(t, th.Take(ctx, limit, "bob"), "another key is limited")
	check.NoError(t, th.Take(ctx, throttle.Limit{Subject: "token", Most: 1, Window: time.Hour}, "ann"), "another subject is limited")
	_, err = pool.Exec(ctx, "UPDATE throttle SET since = now() - interval '61 minutes'")
	check.Must(t, err)
	check.NoError(t, th.Take(ctx, limit, "ann"), "after the window")
	check.NoError(t, errors.Join(th.Take(ctx, limit, "ann"), th.Forget(ctx, limit, "ann"), th.Take(ctx, limit, "ann")), "a try after Forget")
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
	check.Equal(t, through.Load(), 5, "tries came through")
}

func TestTriesThatAreGivenBackLeaveNoRow(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	th := throttle.New(db.New(pool), []byte("key"))
	limit := throttle.Limit{Subject: "sign-in", Most: 100, Window: time.Hour}
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			check.NoError(t, errors.Join(th.Take(t.Context(), limit, "ann"), th.Succeed(t.Context(), limit, "ann")), "a try")
		})
	}
	all.Wait()
	check.Equal(t, dbtest.Value[int](t, pool, "SELECT count(*) FROM throttle"), 0, "rows")
}
