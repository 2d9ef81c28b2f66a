package web

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"forecourt/internal/kit/check"
)

// TestADatabaseThatCannotStoreIsAway has what PostgreSQL says when it or its disk becomes read-only, as a full or failing disk does at some
// providers, and after a failover.
func TestADatabaseThatCannotStoreIsAway(t *testing.T) {
	t.Parallel()
	for want, all := range map[bool][]pgconn.PgError{
		true: {
			{Code: "25006", Message: "cannot execute INSERT in a read-only transaction"},
			{Code: "42501", Message: `could not open file "base/16384/2606": Read-only file system`},
			{Code: "58030", Message: `could not write to file "base/16384/2606": Input/output error`},
			{Code: "53100", Message: "could not extend file: No space left on device"},
			{Code: "57P01"}, {Code: "08006"}, {Code: "55P03"},
		},
		false: {{Code: "42501", Message: "permission denied for table client"}, {Code: "23505"}, {Code: "22021"}, {}},
	} {
		for _, one := range all {
			check.Equal(t, away(fmt.Errorf("a query: %w", &one)), want, "%s %s", one.Code, one.Message)
		}
	}
}
