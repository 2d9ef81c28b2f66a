package throttle_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/run/throttle"
)

func from(address string) throttle.Who { return throttle.From(netip.MustParseAddr(address)) }

func TestPlacesAreCountedForEachVisitor(t *testing.T) {
	t.Parallel()
	places := throttle.NewPlaces(5, 2, 0)
	take := func(who throttle.Who, want bool) func() {
		t.Helper()
		leave, ok := places.Take(who)
		check.Equal(t, ok, want, "a place for %v", who)
		return leave
	}
	first := take(from("192.0.2.1"), true)
	take(from("::ffff:192.0.2.1"), true)
	take(from("192.0.2.1"), false)
	first()
	first()
	first = take(from("192.0.2.1"), true)
	take(from("2001:db8:1:2::1"), true)
	take(from("2001:db8:1:3::1%eth0"), true)
	take(from("2001:db8:1:4::1"), false)
	take(throttle.Known("ann"), true)
	take(from("192.0.2.9"), false) // the total is reached
	first()
	take(throttle.From(netip.Addr{}), true)
	check.Equal(t, places.Taken(), 5, "taken")
}

// served lets visitors wait in the order given while one other holds the only place, and returns the order in which they are served.
func served(t *testing.T, places *throttle.Places, visitors ...[]throttle.Who) []int {
	t.Helper()
	hold, _ := places.Take(throttle.Known("first"))
	order := make(chan int, len(visitors))
	for n, who := range visitors {
		go func() {
			_, leave, err := places.Enter(t.Context(), who...)
			check.NoError(t, err, "visitor %d", n)
			order <- n
			leave()
		}()
		synctest.Wait()
	}
	hold()
	synctest.Wait()
	close(order)
	return slices.Collect(func(yield func(int) bool) {
		for one := range order {
			if !yield(one) {
				return
			}
		}
	})
}

func TestNetworksAreServedInTurn(t *testing.T) {
	t.Parallel()
	crowd, other, six := lines(from("192.0.2.1")), lines(from("198.51.100.1")), func(n int) []throttle.Who {
		return lines(from(fmt.Sprintf("2001:db8:1:%d::1", n)))
	}
	synctest.Test(t, func(t *testing.T) {
		places := throttle.NewPlaces(1, 1, time.Hour)
		got := served(t, places, crowd, crowd, crowd, six(1), six(2), other, lines(throttle.Known("ann")))
		check.Equal(t, fmt.Sprint(got), "[0 6 3 5 1 4 2]", "the order")
	})
}

func lines(who ...throttle.Who) []throttle.Who { return who }

func TestManyAccountsOfOneNetworkKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		places := throttle.NewPlaces(1, 1, time.Hour)
		network := from("192.0.2.1")
		var crowd [][]throttle.Who
		for n := range 100 {
			crowd = append(crowd, lines(network, throttle.Known(fmt.Sprint(n))))
		}
		got := served(t, places, append(crowd, lines(from("198.51.100.1"), throttle.Known("ann")))...)
		check.Equal(t, slices.Index(got, 100) < 4, true, "somebody known in another network is served after %d", slices.Index(got, 100))
		got = served(t, places, append(crowd, lines(network, throttle.Known("bob")))...)
		check.Equal(t, slices.Index(got, 100) < 20, true, "somebody known in the crowd's network is served after %d", slices.Index(got, 100))
	})
}

func TestWhoWaitsTooLongIsRefusedAndForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		places := throttle.NewPlaces(1, 1, 10*time.Second)
		who := from("192.0.2.1")
		ctx, leave, err := places.Enter(t.Context(), who)
		check.Must(t, err)
		_, again, err := places.Enter(ctx, who)
		check.NoError(t, err, "the holder of a place needs no other")
		again()
		refused := make(chan error, 20)
		for range 17 {
			go func() {
				_, _, err := places.Enter(t.Context(), who)
				refused <- err
			}()
		}
		synctest.Wait()
		check.ErrorIs(t, <-refused, throttle.ErrFull, "one more than may wait")
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err = places.Enter(gone, throttle.Known("ann"))
		check.ErrorIs(t, err, context.Canceled, "somebody who left")
		time.Sleep(10 * time.Second) //nolint:forbidigo // of the test's clock
		synctest.Wait()
		for range 16 {
			check.ErrorIs(t, <-refused, throttle.ErrFull, "after ten seconds")
		}
		leave()
		check.Equal(t, places.Taken(), 0, "taken")
		_, leave, err = places.Enter(t.Context(), who)
		check.Must(t, err, "afterwards")
		leave()
	})
}
