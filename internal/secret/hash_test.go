package secret_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"forecourt/internal/fault"
	"forecourt/internal/secret"
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
	if _, err := secret.NewHasher().Hash(t.Context(), long); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("Hash: %v", err)
	}
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
		entered, out, err := h.Enter(t.Context())
		if err != nil {
			if fault.CodeOf(err) != fault.TooMany {
				t.Error(err)
			}
			break
		}
		ctx, leave = entered, append(leave, out)
	}
	if len(leave) != 18 {
		t.Errorf("%d callers may hash or wait, want 18", len(leave))
	}
	if _, err := h.Hash(ctx, secret.New("Correct-horse-1")); err != nil {
		t.Errorf("a caller with a place was refused: %v", err)
	}
	if _, err := h.Hash(t.Context(), secret.New("Correct-horse-1")); fault.CodeOf(err) != fault.TooMany {
		t.Errorf("a caller without a place: %v", err)
	}
	for _, out := range leave {
		out()
	}
	if _, err := h.Hash(t.Context(), secret.New("Correct-horse-1")); err != nil {
		t.Errorf("after all have left: %v", err)
	}
}
