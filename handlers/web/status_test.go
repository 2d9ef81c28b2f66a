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
)

func TestStatusOfAnError(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		err  error
		want int
	}{
		{"conflict", fault.New(fault.Conflict, "x"), 409},
		{"too many", fault.New(fault.TooMany, "x"), 429},
		{"media type", fault.New(fault.Media, "x"), 415},
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
		// what PostgreSQL says when it or its disk becomes read-only, as a full or failing disk does at some providers, and after a failover
		{"a transaction that may only read", &pgconn.PgError{Code: "25006", Message: "cannot execute INSERT in a read-only transaction"}, 503},
		{"a disk that is read-only", &pgconn.PgError{Code: "42501", Message: `could not open file "base/16384/2606": Read-only file system`}, 503},
		{"a disk that fails", &pgconn.PgError{Code: "58030", Message: `could not write to file "base/16384/2606": Input/output error`}, 503},
		{"a disk that is full", &pgconn.PgError{Code: "53100", Message: "could not extend file: No space left on device"}, 503},
		{"a connection that broke", &pgconn.PgError{Code: "08006"}, 503},
		{"a right that is missing", &pgconn.PgError{Code: "42501", Message: "permission denied for table shop"}, 500},
		{"a taken key", &pgconn.PgError{Code: "23505"}, 500},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, web.Status(tt.err), tt.want, "web.Status, %v", tt.err)
		})
	}
}
