package check

import "testing"

// Must ends the test if err is not nil. A format and its arguments may say what was tried.
func Must(t testing.TB, err error, what ...any) {
	t.Helper()
	if err != nil {
		t.Fatal(tried(err, what...))
	}
}

// MustEqual ends the test if got is not want.
func MustEqual[T comparable](t testing.TB, got, want T, what string, args ...any) {
	t.Helper()
	if !Equal(t, got, want, what, args...) {
		t.FailNow()
	}
}
