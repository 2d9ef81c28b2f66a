package secret_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
)

func TestAHashMatchesOnlyItsPassword(t *testing.T) {
	t.Parallel()
	h := secret.NewHasher()
	hash, err := h.Hash(t.Context(), secret.New("Correct-horse-1"))
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("Hash = %q, %v", hash, err)
	}
	again, err := h.Hash(t.Context(), secret.New("Correct-horse-1"))
	if err != nil || again == hash {
		t.Errorf("two hashes are equal: %v", err)
	}
	for _, c := range []struct {
		name, hash, password string
		want                 bool
	}{
		{"the password", hash, "Correct-horse-1", true},
		{"another", hash, "correct-horse-1", false},
		{"nothing", hash, "", false},
		{"no hash", "", "Correct-horse-1", false},
		{"no hash and no password", "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := h.Verify(t.Context(), c.hash, secret.New(c.password)); err != nil || got != c.want {
				t.Errorf("Verify = %t, %v; want %t", got, err, c.want)
			}
		})
	}
}

func TestAnInvalidHashIsAnErrorNotAMatch(t *testing.T) {
	t.Parallel()
	for _, hash := range []string{"x", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=19456,t=2,p=1$AAAA$", "$argon2id$v=19$m=19456,t=2,p=1$"} {
		if ok, err := secret.NewHasher().Verify(t.Context(), hash, secret.New("")); ok || fault.CodeOf(err) != fault.Internal {
			t.Errorf("Verify(%q) = %t, %v", hash, ok, err)
		}
	}
}

func TestAHugePasswordIsRefusedUnhashed(t *testing.T) {
	t.Parallel()
	long := secret.New(strings.Repeat("a", secret.MaxHashed+1))
	_, err := secret.NewHasher().Hash(t.Context(), long)
	check.Equal(t, fault.CodeOf(err), fault.Invalid, "Hash: %v", err)
}

func TestACrowdIsRefusedRatherThanHashedAtOnce(t *testing.T) {
	t.Parallel()
	h := secret.NewHasher()
	var done, refused atomic.Int32
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() {
			switch _, err := h.Hash(t.Context(), secret.New("Correct-horse-1")); {
			case err == nil:
				done.Add(1)
			case fault.CodeOf(err) == fault.TooMany:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if done.Load() < 18 || refused.Load() == 0 {
		t.Errorf("%d hashed, %d refused", done.Load(), refused.Load())
	}
}

func TestACallerTakesOnePlaceInTheQueue(t *testing.T) {
	t.Parallel()
	h := secret.NewHasher()
	var leave []func()
	ctx := t.Context()
	for {
		entered, out, err := h.Enter(t.Context(), netip.Prefix{})
		if err != nil {
			check.Equal(t, fault.CodeOf(err), fault.TooMany, "fault.CodeOf, %v", err)
			break
		}
		ctx, leave = entered, append(leave, out)
	}
	check.Equal(t, len(leave), 18, "callers may hash or wait")
	_, err := h.Hash(ctx, secret.New("Correct-horse-1"))
	check.NoError(t, err, "a caller with a place was refused")
	_, err = h.Hash(t.Context(), secret.New("Correct-horse-1"))
	check.Equal(t, fault.CodeOf(err), fault.TooMany, "a caller without a place: %v", err)
	for _, out := range leave {
		out()
	}
	_, err = h.Hash(t.Context(), secret.New("Correct-horse-1"))
	check.NoError(t, err, "after all have left")
}

var home, elsewhere = netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("2001:db8::/64")

func TestOneNetworkLeavesRoomForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := secret.NewHasher()
		ctx, cancel := context.WithCancel(t.Context())
		left, entered, gone := make(chan struct{}), new(atomic.Int32), new(atomic.Int32)
		for range 16 {
			go func() {
				_, leave, err := h.Enter(ctx, home)
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					gone.Add(1)
					return
				}
				entered.Add(1)
				<-left
				leave()
			}()
		}
		synctest.Wait()
		check.Equal(t, entered.Load(), 3, "places of a network")
		_, _, err := h.Enter(t.Context(), home)
		check.Equal(t, fault.CodeOf(err), fault.TooMany, "a request beyond those of the network that may wait: %v", err)
		for _, from := range []netip.Prefix{elsewhere, {}} {
			check.NoError(t, enterAndHash(t, h, from), "from %s meanwhile", from)
		}
		left <- struct{}{}
		synctest.Wait()
		check.Equal(t, entered.Load(), 4, "… have entered after one left")
		cancel() // those who wait give up
		close(left)
		synctest.Wait()
		if entered.Load() != 4 || gone.Load() != 12 {
			t.Errorf("%d entered and %d gave up, want 4 and 12", entered.Load(), gone.Load())
		}
		var leave [3]func()
		for i := range leave {
			_, out, err := h.Enter(t.Context(), home)
			check.Must(t, err, "after all have left")
			leave[i] = out
		}
		for _, out := range leave {
			out()
		}
	})
}

// enterAndHash enters twice, as a rule does that calls another.
func enterAndHash(t *testing.T, h *secret.Hasher, from netip.Prefix) error {
	t.Helper()
	ctx, leave, err := h.Enter(t.Context(), from)
	if err != nil {
		return err
	}
	defer leave()
	ctx, again, err := h.Enter(ctx, from)
	if err != nil {
		return err
	}
	defer again()
	_, err = h.Hash(ctx, secret.New("Correct-horse-1"))
	return err
}

func TestManyNetworksShareTheQueue(t *testing.T) {
	t.Parallel()
	h := secret.NewHasher()
	var leave []func()
	enter := func(n int) error {
		_, out, err := h.Enter(t.Context(), netip.PrefixFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(n)}), 32))
		if err == nil {
			leave = append(leave, out)
		}
		return err
	}
	for n := range 18 {
		check.NoError(t, enter(n), "network %d", n)
	}
	err := enter(18)
	check.Equal(t, fault.CodeOf(err), fault.TooMany, "the nineteenth: %v", err)
	for _, out := range leave {
		out()
	}
	if err := enter(18); err != nil { // its refusal left nothing behind
		t.Errorf("after the others left: %v", err)
	}
}
