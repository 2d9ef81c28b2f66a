package web

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// away reports whether an error means that the database is temporarily unavailable, rather than a mistake in the program.
func away(err error) bool {
	var connect *pgconn.ConnectError
	var broken *pgconn.PgError
	var network net.Error
	switch {
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, context.DeadlineExceeded), pgconn.SafeToRetry(err):
		return true
	case errors.As(err, &broken):
		// 08 connection, 53 resources, 55P03 lock timeout, 57 shutdown and cancelled.
		return strings.HasPrefix(broken.Code, "08") || strings.HasPrefix(broken.Code, "53") ||
			strings.HasPrefix(broken.Code, "57") || broken.Code == "55P03"
	default:
		return strings.Contains(err.Error(), "conn closed") || strings.Contains(err.Error(), "unexpected EOF")
	}
}

// unstorable reports whether an error means that a query contained a text that the database cannot hold, with NUL or invalid UTF-8. So no
// row can have that name.
func unstorable(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "22021"
}
