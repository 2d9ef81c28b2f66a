// Package shortlink maps short codes to addresses.
package shortlink

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
)

// Reasons why a code leads nowhere or cannot be assigned.
var (
	ErrUnknown = fault.New(fault.NotFound, "no such short link")
	ErrExpired = fault.New(fault.Gone, "the short link has expired")
	// ErrCode means that a code is not valid.
	ErrCode = fault.New(fault.Invalid, "a code has 1 to 64 letters, digits, - and _, a letter or digit first")
	// ErrTaken means that a code is already assigned, perhaps to an expired link.
	ErrTaken = fault.New(fault.Conflict, "the code is taken")
	// ErrExpiry means that the expiry is in the past.
	ErrExpiry = fault.New(fault.Invalid, "the expiry has to be in the future")
)

var codes = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// Links are the short links of the site.
type Links struct {
	queries *db.Queries
	log     *slog.Logger
}

// New returns the short links kept in conn. It counts their hits there.
func New(conn db.DBTX, log *slog.Logger) *Links { return &Links{db.New(conn), log} }

// Follow returns where a code leads, in capitals or not, and counts the hit. Errors: ErrUnknown, ErrExpired.
func (l *Links) Follow(ctx context.Context, code string) (url string, err error) {
	link, err := l.find(ctx, code)
	if err != nil {
		return "", err
	}
	if err := l.queries.ShortlinkHit(context.WithoutCancel(ctx), link.Code); err != nil { // the visitor goes on
		l.log.WarnContext(ctx, "short link hit not counted", "error", err)
	}
	return link.Url, nil
}

// Target returns where a code leads: an http(s) address, or a path of this site. Errors: ErrUnknown, ErrExpired.
func (l *Links) Target(ctx context.Context, code string) (url string, err error) {
	link, err := l.find(ctx, code)
	return link.Url, err
}

func (l *Links) find(ctx context.Context, code string) (link db.ShortlinkGetRow, err error) {
	if !codes.MatchString(code) {
		return link, ErrUnknown
	}
	link, err = l.queries.ShortlinkGet(ctx, code)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = ErrUnknown
	case link.Expired:
		return db.ShortlinkGetRow{}, ErrExpired
	}
	return link, err
}

// Create makes a link and returns its code: a random one if code is empty. A zero expiry means never. Errors: ErrTarget,
// ErrCode, ErrTaken, ErrExpiry.
func (l *Links) Create(ctx context.Context, code, target string, expires time.Time) (string, error) {
	url, err := Target(target)
	if err != nil {
		return "", err
	}
	if code == "" {
		code = strings.ToLower(rand.Text()[:8])
	}
	if !codes.MatchString(code) {
		return "", ErrCode
	}
	end := &expires
	if expires.IsZero() {
		end = nil
	} else if !expires.After(time.Now()) {
		return "", ErrExpiry
	}
	made, err := l.queries.ShortlinkCreate(ctx, code, url, end)
	if err == nil && made == 0 {
		err = ErrTaken
	}
	return code, err
}

// List returns every link, the oldest first.
func (l *Links) List(ctx context.Context) ([]db.ShortlinkListRow, error) {
	return l.queries.ShortlinkList(ctx)
}

// Expire ends a link at once. Error: ErrUnknown.
func (l *Links) Expire(ctx context.Context, code string) error {
	if !codes.MatchString(code) {
		return ErrUnknown
	}
	ended, err := l.queries.ShortlinkExpire(ctx, code)
	if err == nil && ended == 0 {
		err = ErrUnknown
	}
	return err
}
