// Package check compares what a test got with what it wants. A check that fails marks the test as failed and goes on; Must and MustEqual
// end it. What was compared, or what is wrong if it differs, is told as a format and its arguments.
package check

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Equal reports whether got is want.
func Equal[T comparable](t testing.TB, got, want T, what string, args ...any) bool {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %s, want %s", fmt.Sprintf(what, args...), show(got), show(want))
	}
	return got == want
}

// List reports whether got has the elements of want in their order.
func List[E comparable](t testing.TB, got, want []E, what string, args ...any) bool {
	t.Helper()
	same := slices.Equal(got, want)
	if !same {
		t.Errorf("%s: got %s, want %s", fmt.Sprintf(what, args...), show(got), show(want))
	}
	return same
}

// Empty reports whether list has no elements.
func Empty[E any](t testing.TB, list []E, what string, args ...any) bool {
	t.Helper()
	if len(list) > 0 {
		t.Errorf("%s: got %d, want none: %s", fmt.Sprintf(what, args...), len(list), show(list))
	}
	return len(list) == 0
}

// NoError reports whether err is nil. A format and its arguments may say what was tried.
func NoError(t testing.TB, err error, what ...any) bool {
	t.Helper()
	if err != nil {
		t.Error(tried(err, what...))
	}
	return err == nil
}

// tried returns err with what was tried, a format and its arguments, in front.
func tried(err error, what ...any) error {
	if len(what) == 0 {
		return err
	}
	format, _ := what[0].(string)
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, what[1:]...), err)
}

// Error reports whether err is an error.
func Error(t testing.TB, err error, what string, args ...any) bool {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", fmt.Sprintf(what, args...))
	}
	return err != nil
}

// ErrorIs reports whether err is or wraps want, which is nil where no error is wanted.
func ErrorIs(t testing.TB, err, want error, what string, args ...any) bool {
	t.Helper()
	is := errors.Is(err, want)
	if !is {
		t.Errorf("%s: got the error %v, want %v", fmt.Sprintf(what, args...), err, want)
	}
	return is
}

// Contains reports whether part is in text.
func Contains(t testing.TB, text, part, what string, args ...any) bool {
	t.Helper()
	has := strings.Contains(text, part)
	if !has {
		t.Errorf("%s: %q is missing in %s", fmt.Sprintf(what, args...), part, show(text))
	}
	return has
}

// Lacks reports whether part is not in text.
func Lacks(t testing.TB, text, part, what string, args ...any) bool {
	t.Helper()
	before, _, has := strings.Cut(text, part)
	if has {
		t.Errorf("%s: %q is in %s", fmt.Sprintf(what, args...), part, show(text[max(0, len(before)-100):]))
	}
	return !has
}

// show prints a value, texts in quotes and a long one without its end.
func show(value any) string {
	text := fmt.Sprintf("%+v", value)
	switch kind := reflect.ValueOf(value); {
	case kind.Kind() == reflect.String:
		return fmt.Sprintf("%.2000q", text)
	case kind.Kind() == reflect.Slice && kind.Type().Elem().Kind() == reflect.String:
		text = fmt.Sprintf("%q", value)
	}
	return fmt.Sprintf("%.2000s", text)
}
