package db

import (
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// FormReference is the unique constraint on the references of forms.
const FormReference = "form_reference_key"

// IsTaken reports whether a statement failed because a row with the same unique values exists. If constraints are named, only those
// count.
func IsTaken(err error, constraints ...string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "23505" &&
		(len(constraints) == 0 || slices.Contains(constraints, refused.ConstraintName))
}

// IsOrphan reports whether a statement failed because a row that it refers to is missing.
func IsOrphan(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "23503"
}

// Refusal returns the code of an error by which the database refused the values of a statement, and always will: data that a column cannot
// hold, or a violated constraint. It returns "" for all other errors.
func Refusal(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && (strings.HasPrefix(refused.Code, "22") || strings.HasPrefix(refused.Code, "23")) {
		return refused.Code
	}
	return ""
}
