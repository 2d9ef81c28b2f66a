package web

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

var (
	awayClasses = []string{"08", "53", "57"}          // connection, resources, shutdown and cancelled
	awayCodes   = []string{"25006", "55P03", "58030"} // a server that became read-only, lock timeout, a disk that fails
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
		return slices.Contains(awayClasses, broken.Code[:min(2, len(broken.Code))]) || slices.Contains(awayCodes, broken.Code) ||
			broken.Code == "42501" && strings.HasPrefix(broken.Message, "could not ") // a file on a disk that became read-only
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
