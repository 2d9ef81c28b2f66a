// Package must ends a test that cannot go on. Its checks are those of package check.
package must

import (
	"testing"

	"forecourt/internal/kit/check"
)

// NoError ends the test if err is not nil. A format and its arguments may say what was tried.
func NoError(t testing.TB, err error, what ...any) {
	t.Helper()
	if err != nil {
		t.Fatal(check.Tried(err, what...))
	}
}

// Equal ends the test if got is not want.
func Equal[T comparable](t testing.TB, got, want T, what string, args ...any) {
	t.Helper()
	if !check.Equal(t, got, want, what, args...) {
		t.FailNow()
	}
}
