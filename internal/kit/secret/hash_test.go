package secret_test

import (
	"strings"
	"testing"

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
