package secret

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"

	"forecourt/internal/kit/fault"
)

// The cost of one hash, as OWASP's password storage guidance has it for argon2id.
const (
	memory  = 19 << 10 // KiB
	passes  = 2
	threads = 1
	saltLen = 16 // bytes
	keyLen  = 32 // bytes
)

// MaxHashed is the longest password that is hashed; anything longer is refused before it costs anything.
const MaxHashed = 1024

// atMost is how many hashes are made at once.
const atMost = 2

// Hasher makes and checks argon2id hashes of passwords. Each takes 19 MiB and a processor for a while, so at most two are made at a
// time, on half of the processors. One Hasher serves the whole program. Whoever hashes for a request holds a place in a throttle.Places.
type Hasher struct {
	running chan struct{}
	waiting atomic.Int32 // for running
}

// NewHasher returns a Hasher. If there are two processors or more, half of them are left to requests that do not sign in.
func NewHasher() *Hasher {
	return &Hasher{running: make(chan struct{}, min(max(runtime.GOMAXPROCS(0)/2, 1), atMost))}
}

// Hash returns the password's hash with a fresh salt, as "$argon2id$v=19$m=…,t=…,p=…$salt$key". The error is
// fault.Invalid for more than MaxHashed, or ctx's.
func (h *Hasher) Hash(ctx context.Context, password Text) (string, error) {
	salt := make([]byte, saltLen)
	_, _ = rand.Read(salt) // never fails
	key, err := h.derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, passes, threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key)), nil
}

// Verify reports whether hash is of this password. An empty hash matches nothing and takes as long as a mismatch, so that the time
// of an answer does not reveal whether an account exists. The errors are those of Hash, and fault.Internal for a hash that Hash did
// not make.
func (h *Hasher) Verify(ctx context.Context, hash string, password Text) (bool, error) {
	salt, want := make([]byte, saltLen), make([]byte, keyLen)
	if hash != "" {
		var err error
		if salt, want, err = split(hash); err != nil {
			return false, err
		}
	}
	key, err := h.derive(ctx, password, salt)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(key, want) == 1 && hash != "", nil
}

func (h *Hasher) derive(ctx context.Context, password Text, salt []byte) ([]byte, error) {
	if len(password.Reveal()) > MaxHashed {
		return nil, fault.New(fault.Invalid, "the password has more than %d bytes", MaxHashed)
	}
	h.waiting.Add(1)
	select {
	case h.running <- struct{}{}:
		h.waiting.Add(-1)
	case <-ctx.Done():
		h.waiting.Add(-1)
		return nil, ctx.Err()
	}
	start := time.Now()
	key := argon2.IDKey([]byte(password.Reveal()), salt, passes, memory, threads, keyLen)
	time.AfterFunc(h.rest(time.Since(start)), func() { <-h.running })
	return key, nil
}

// rest returns how long to pause after a hash that took that long. While others wait, the pause is as long as the hash, so that a flood of
// sign-ins takes only half of a processor's time. A single caller does not notice.
func (h *Hasher) rest(took time.Duration) time.Duration {
	if h.waiting.Load() == 0 {
		return 0
	}
	return took
}

func split(hash string) (salt, key []byte, err error) {
	wrong := fault.New(fault.Internal, "a stored password hash has another form")
	head, rest, found := strings.Cut(hash, fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, memory, passes, threads))
	encodedSalt, encodedKey, both := strings.Cut(rest, "$")
	if !found || head != "" || !both {
		return nil, nil, wrong
	}
	if salt, err = base64.RawStdEncoding.DecodeString(encodedSalt); err != nil || len(salt) != saltLen {
		return nil, nil, wrong
	}
	if key, err = base64.RawStdEncoding.DecodeString(encodedKey); err != nil || len(key) != keyLen {
		return nil, nil, wrong
	}
	return salt, key, nil
}
