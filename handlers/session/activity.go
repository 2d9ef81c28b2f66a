package session

import (
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
)

// Touch keeps a session alive while a page is open and returns its absolute expiry, the zero time if it has ended.
func (s *Sessions) Touch(r *http.Request) (time.Time, error) {
	cookie, err := r.Cookie(s.cookie)
	if err != nil {
		return time.Time{}, nil //nolint:nilerr // no cookie, no session
	}
	hash := hashID(cookie.Value)
	ends, err := s.queries.SessionEnds(r.Context(), SessionMax.Seconds(), hash, SessionIdle.Seconds())
	if errors.Is(err, pgx.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	return ends, s.queries.SessionTouch(r.Context(), hash)
}
