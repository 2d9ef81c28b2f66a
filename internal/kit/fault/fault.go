// Package fault defines errors with a code. The code decides the HTTP status and the page; the message is for logs, unless it
// begins with a capital letter: then it is a sentence that pages show. What a rule finds wrong with an input are Problems; every other text
// for people is in the views.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Code says what kind of thing went wrong, in terms a caller can act on.
type Code string

// The codes. An error without one is internal.
const (
	Invalid     Code = "invalid"     // the input violates a rule
	NotFound    Code = "not_found"   // it does not exist or is not the caller's
	Forbidden   Code = "forbidden"   // the caller is known but not allowed
	Conflict    Code = "conflict"    // the thing is not in a state that allows it
	Gone        Code = "gone"        // it existed and has expired
	TooMany     Code = "too_many"    // a limit was reached
	TooLarge    Code = "too_large"   // the body is larger than its limit
	Media       Code = "media"       // a content type that this address does not take
	Unavailable Code = "unavailable" // a part we depend on does not answer; trying later may help
	Busy        Code = "busy"        // too many callers at the same time; trying later helps
	Internal    Code = "internal"    // everything else
)

// Error is an error with a code. Err never reaches a browser, nor does Message unless it is a
// sentence for people, which begins with a capital letter.
type Error struct {
	Code    Code
	Message string
	Err     error
}

// New returns an error with a code and a message for the log.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap gives err a code; nil stays nil.
func Wrap(code Code, err error, message string) error {
	if err == nil {
		return nil
	}
	return &Error{Code: code, Message: message, Err: err}
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of the first coded error in err's chain, Internal when there is none.
func CodeOf(err error) Code {
	var coded *Error
	if errors.As(err, &coded) {
		return coded.Code
	}
	return Internal
}

// OneLine joins the lines of an error. The error of an unreachable database has a line for each address.
func OneLine(text string) string {
	return strings.NewReplacer(":\n\t", ": ", "\n\t", "; ", "\n", "; ").Replace(text)
}
