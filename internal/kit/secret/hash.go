package secret

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/netip"
	"runtime"
	"strings"
	"sync"
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

// atMost is how many hashes are made at once, queued how many more may wait.
const atMost, queued = 2, 16

// networkPlaces is how many places of the queue one network may hold. It exceeds atMost, so that a flood from a single network makes hashes
// pause, too. networkRequests is how many requests of a network may hold a place or wait for one: the people of an office sign in at the
// same time.
const networkPlaces, networkRequests = 3, 16

// Hasher makes and checks argon2id hashes of passwords. Each takes 19 MiB and a processor for a while, so at most two are made at a
// time, on half of the processors, with a short queue before the answer is fault.TooMany. One Hasher serves the whole program.
type Hasher struct {
	running chan struct{}
	waiting chan struct{}

	mu       sync.Mutex
	networks map[netip.Prefix]*network // that hold or await a place
}

// network is the share that a network has of the queue.
type network struct {
	places   chan struct{}
	requests int // that hold or await a place
}

// NewHasher returns a Hasher. If there are two processors or more, half of them are left to requests that do not sign in.
func NewHasher() *Hasher {
	atOnce := min(max(runtime.GOMAXPROCS(0)/2, 1), atMost)
	return &Hasher{running: make(chan struct{}, atOnce), waiting: make(chan struct{}, atMost+queued), networks: map[netip.Prefix]*network{}}
}

// place is the context key of a place in the queue of a Hasher.
type place struct{ h *Hasher }

// errFull is the error of Enter.
var errFull = fault.New(fault.TooMany, "too many passwords to check at once")

// Enter takes a place in the queue before any other work is done for a password, so that a flood ends here and never reaches the database.
// Hash, Verify and Enter with the returned context need no other place; leave gives it back. from is the network of the request, as
// throttle.Network returns it. A request whose network holds its share waits until the network gives a place back. The zero Prefix, for a
// command, is not limited. The error is fault.TooMany, or ctx's.
func (h *Hasher) Enter(ctx context.Context, from netip.Prefix) (_ context.Context, leave func(), err error) {
	if ctx.Value(place{h}) != nil {
		return ctx, func() {}, nil
	}
	release, err := h.takeShare(ctx, from)
	if err != nil {
		return ctx, nil, err
	}
	select {
	case h.waiting <- struct{}{}:
		return context.WithValue(ctx, place{h}, true), func() { <-h.waiting; release() }, nil
	default:
		release()
		return ctx, nil, errFull
	}
}

// takeShare waits until a network holds fewer places than its share. A request beyond networkRequests does not wait.
func (h *Hasher) takeShare(ctx context.Context, from netip.Prefix) (release func(), err error) {
	if !from.IsValid() {
		return func() {}, nil
	}
	n, err := h.join(from)
	if err != nil {
		return nil, err
	}
	select {
	case n.places <- struct{}{}:
		return func() { <-n.places; h.part(from, n) }, nil
	case <-ctx.Done():
		h.part(from, n)
		return nil, ctx.Err()
	}
}

// join counts a request of a network.
func (h *Hasher) join(from netip.Prefix) (*network, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.networks[from]
	if n == nil {
		n = &network{places: make(chan struct{}, networkPlaces)}
		h.networks[from] = n
	}
	if n.requests == networkRequests {
		return nil, errFull
	}
	n.requests++
	return n, nil
}

// part ends what join began.
func (h *Hasher) part(from netip.Prefix, n *network) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n.requests--; n.requests == 0 {
		delete(h.networks, from)
	}
}

// Hash returns the password's hash with a fresh salt, as "$argon2id$v=19$m=…,t=…,p=…$salt$key". The error is
// fault.Invalid for more than MaxHashed, fault.TooMany when the queue is full, or ctx's.
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
	ctx, leave, err := h.Enter(ctx, netip.Prefix{})
	if err != nil {
		return nil, err
	}
	defer leave()
	select {
	case h.running <- struct{}{}:
	case <-ctx.Done():
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
	if len(h.waiting) <= cap(h.running) {
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
