// Package throttle limits what one visitor may do: it counts failed tries in PostgreSQL, so that several processes count together and
// a restart forgets nothing.
package throttle

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
)

// Limit is how many tries may fail within a window that begins with the first.
type Limit struct {
	Subject string // what is limited, such as "sign-in account"
	Most    int    // failures; the next try is refused
	Window  time.Duration
}

// Throttle counts by keys that the database cannot turn back into addresses of people.
type Throttle struct {
	queries *db.Queries
	key     secret.Key
}

// New returns a Throttle that hashes what it counts with a key.
func New(queries *db.Queries, key secret.Key) *Throttle { return &Throttle{queries, key} }

// Error means that the caller has to wait.
type Error struct {
	After   time.Duration
	Subject string // of the limit
}

func (e *Error) Error() string { return "too many failures, wait " + e.After.String() }

// Unwrap makes it fault.TooMany.
func (e *Error) Unwrap() error { return fault.New(fault.TooMany, "too many failures") }

// Take counts a try by what before it is made, so that concurrent tries cannot slip through. It returns *Error if the try may not
// be made. Succeed or Forget takes back the count of a try that did not fail.
func (t *Throttle) Take(ctx context.Context, l Limit, what string) error {
	row, err := t.queries.ThrottleTake(ctx, l.Subject, t.Hash(what), l.Window.Seconds())
	if err != nil {
		return err
	}
	if int(row.Count) > l.Most {
		return &Error{After: time.Duration(row.WaitSeconds * float64(time.Second)), Subject: l.Subject}
	}
	return nil
}

// Count is a limit that a try counts against, and the key that it counts under.
type Count struct {
	Limit Limit
	What  string
}

// TakeAll takes each count in turn, or none: a try that one limit refuses does not count against the others. What the caller cannot choose,
// such as a network, comes before what they can, so that a refusal writes as little as possible. Errors are Take's.
func (t *Throttle) TakeAll(ctx context.Context, counts []Count) error {
	for i, c := range counts {
		if err := t.Take(ctx, c.Limit, c.What); err != nil {
			return errors.Join(err, t.GiveBack(context.WithoutCancel(ctx), counts[:i]))
		}
	}
	return nil
}

// Passed gives back a try that succeeded, and forgets the failures of the last count, which is the narrowest.
func (t *Throttle) Passed(ctx context.Context, counts []Count) error {
	last := len(counts) - 1
	return errors.Join(t.Forget(ctx, counts[last].Limit, counts[last].What), t.GiveBack(ctx, counts[:last]))
}

// GiveBack takes back one try from each of counts.
func (t *Throttle) GiveBack(ctx context.Context, counts []Count) error {
	var all error
	for _, c := range counts {
		all = errors.Join(all, t.Succeed(ctx, c.Limit, c.What))
	}
	return all
}

// Succeed takes back the count of one try.
func (t *Throttle) Succeed(ctx context.Context, l Limit, what string) error {
	return t.queries.ThrottleGiveBack(ctx, l.Subject, t.Hash(what))
}

// Forget takes back every count of what.
func (t *Throttle) Forget(ctx context.Context, l Limit, what string) error {
	return t.queries.ThrottleClear(ctx, l.Subject, t.Hash(what))
}

// Below returns the key of a part of something, such as what one network does to an account: ForgetAll finds it by the whole.
func Below(whole, part string) string { return whole + separator + part }

// separator never occurs in an address.
const separator = "\x00"

// ForgetAll takes back every count of the parts of whole.
func (t *Throttle) ForgetAll(ctx context.Context, l Limit, whole string) error {
	return t.queries.ThrottleClearAll(ctx, l.Subject, t.Hash(whole)[:half])
}

// half is how many bytes of a key from Below identify the whole.
const half = sha256.Size / 2

// Hash returns the key that the database keeps in place of what.
func (t *Throttle) Hash(what string) []byte {
	hash := t.key.MAC([]byte(what))
	if whole, _, parted := strings.Cut(what, separator); parted {
		return append(t.key.MAC([]byte(whole))[:half:half], hash[:half]...)
	}
	return hash
}
