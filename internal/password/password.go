// Package password hashes and checks passwords with argon2id. Each hash takes 19 MiB, so only two are made at a time,
// with a short queue before the answer is fault.TooMany.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"

	"forecourt/internal/fault"
	"forecourt/internal/secret"
)

// The cost of one hash, as OWASP's password storage guidance has it for argon2id.
const (
	memory  = 19 << 10 // KiB
	passes  = 2
	threads = 1
	saltLen = 16 // bytes
	keyLen  = 32 // bytes
)

// MaxBytes is the longest password that is hashed; anything longer is refused before it costs anything.
const MaxBytes = 1024

const atOnce, queued = 2, 16

// Hasher makes and checks hashes, a few at a time. One serves the whole program.
type Hasher struct {
	running chan struct{}
	waiting chan struct{}
}

// New returns a Hasher.
func New() *Hasher {
	return &Hasher{running: make(chan struct{}, atOnce), waiting: make(chan struct{}, atOnce+queued)}
}

// Hash returns the password's hash with a salt of its own, as "$argon2id$v=19$m=…,t=…,p=…$salt$key". The error is
// fault.Invalid for more than MaxBytes, fault.TooMany when the queue is full, or ctx's.
func (h *Hasher) Hash(ctx context.Context, password secret.Text) (string, error) {
	salt := make([]byte, saltLen)
	_, _ = rand.Read(salt) // never fails
	key, err := h.derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, passes, threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key)), nil
}

// Verify tells whether hash is of this password. An empty hash is nobody's and takes as long as one that does not match, so
// that the time of an answer does not tell whether an account exists. The errors are those of Hash, and fault.Internal for
// a hash that Hash did not make.
func (h *Hasher) Verify(ctx context.Context, hash string, password secret.Text) (bool, error) {
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

func (h *Hasher) derive(ctx context.Context, password secret.Text, salt []byte) ([]byte, error) {
	if len(password.Reveal()) > MaxBytes {
		return nil, fault.New(fault.Invalid, "the password has more than %d bytes", MaxBytes)
	}
	select {
	case h.waiting <- struct{}{}:
		defer func() { <-h.waiting }()
	default:
		return nil, fault.New(fault.TooMany, "too many passwords to check at once")
	}
	select {
	case h.running <- struct{}{}:
		defer func() { <-h.running }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password.Reveal()), salt, passes, memory, threads, keyLen), nil
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
