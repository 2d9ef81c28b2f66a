package db_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"forecourt/db"
	"forecourt/internal/kit/check"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                     string
		err                      error
		taken, reference, orphan bool
		refusal                  string
	}{
		{"no error", nil, false, false, false, ""},
		{"no row", pgx.ErrNoRows, false, false, false, ""},
		{"an error that only quotes a code", errors.New("SQLSTATE 23505"), false, false, false, ""},
		{"a key that is taken", &pgconn.PgError{Code: "23505", ConstraintName: "attempt_one_open"}, true, false, false, "23505"},
		{"a form's reference that is taken", &pgconn.PgError{Code: "23505", ConstraintName: "form_reference_key"}, true, true, false, "23505"},
		{"wrapped", fmt.Errorf("submit: %w", &pgconn.PgError{Code: "23505", ConstraintName: "form_reference_key"}), true, true, false, "23505"},
		{"a reference to a missing row", &pgconn.PgError{Code: "23503", ConstraintName: "form_reference_key"}, false, false, true, "23503"},
		{"a check", &pgconn.PgError{Code: "23514"}, false, false, false, "23514"},
		{"NUL in text", &pgconn.PgError{Code: "22021"}, false, false, false, "22021"},
		{"a shutdown", &pgconn.PgError{Code: "57P01"}, false, false, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, db.IsTaken(tt.err), tt.taken, "Taken")
			check.Equal(t, db.IsTaken(tt.err, db.FormReference), tt.reference, "a taken reference")
			check.Equal(t, db.IsOrphan(tt.err), tt.orphan, "Orphan")
			check.Equal(t, db.Refusal(tt.err), tt.refusal, "Refusal")
		})
	}
}
