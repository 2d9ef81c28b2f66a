package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

func TestStatusOfAnError(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		err  error
		want int
	}{
		{"invalid", fault.New(fault.Invalid, "x"), 400},
		{"not found", fault.New(fault.NotFound, "x"), 404},
		{"forbidden", fault.New(fault.Forbidden, "x"), 403},
		{"conflict", fault.New(fault.Conflict, "x"), 409},
		{"gone", fault.New(fault.Gone, "x"), 410},
		{"too many", fault.New(fault.TooMany, "x"), 429},
		{"too large", fault.New(fault.TooLarge, "x"), 413},
		{"media type", fault.New(fault.Media, "x"), 415},
		{"unavailable", fault.New(fault.Unavailable, "x"), 503},
		{"a limit", &throttle.Error{}, 429},
		{"wrapped", fmt.Errorf("doing: %w", fault.New(fault.Gone, "x")), 410},
		{"anything else", errors.New("boom"), 500},
		{"a bug in a statement", &pgconn.PgError{Code: "42601"}, 500},
		{"a broken rule of the schema", &pgconn.PgError{Code: "23514"}, 500},
		{"a name that is not valid text", &pgconn.PgError{Code: "22021"}, 404},
		{"the database shuts down", fmt.Errorf("read: %w", &pgconn.PgError{Code: "57P01"}), 503},
		{"too many connections", &pgconn.PgError{Code: "53300"}, 503},
		{"a lock that is never released", &pgconn.PgError{Code: "55P03"}, 503},
		{"a statement that took too long", &pgconn.PgError{Code: "57014"}, 503},
		{"no connection", &pgconn.ConnectError{}, 503},
		{"a broken connection", &net.OpError{Op: "read", Err: io.ErrUnexpectedEOF}, 503},
		{"a database that does not answer", context.DeadlineExceeded, 503},
		{"a connection that was closed", errors.New("conn closed"), 503},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, web.Status(tt.err), tt.want, "web.Status, %v", tt.err)
		})
	}
}
