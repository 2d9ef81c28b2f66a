package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"

	"forecourt/internal/kit/fault"
)

// APIError is an error of the JSON API with words for its caller.
type APIError struct {
	Err   error  // decides the status; fault.Invalid with a Field is 422
	Text  string // shown to the caller
	Field string // the field of the request that breaks a rule, such as "order.qty"; "" for none
}

func (e *APIError) Error() string { return e.Err.Error() }
func (e *APIError) Unwrap() error { return e.Err }

// Wrong refuses the value of a field. rule completes the sentence that the field begins: "has to be …".
func Wrong(field, rule string) error {
	return &APIError{Err: fault.New(fault.Invalid, "%s is refused", field), Text: field + " " + rule + ".", Field: field}
}

// Unknown turns a fault.NotFound into an error with its text: the value of a field, or of a part of the address, names nothing. what says
// what it should name. Unknown returns every other error unchanged.
func Unknown(err error, field, what string) error {
	if Status(err) != http.StatusNotFound {
		return err
	}
	return &APIError{Err: err, Text: field + " is not " + what + ".", Field: field}
}

// Missing refuses a request without a field that it needs.
func Missing(field string) error { return Wrong(field, "is missing") }

// Refusal is the body of an error.
type Refusal struct {
	Error string `json:"error"`
	Field string `json:"field,omitempty"`
}

// RefusalOf returns an error as the caller of the API reads it.
func RefusalOf(err error) Refusal {
	if named := new(APIError); errors.As(err, &named) {
		return Refusal{Error: named.Text, Field: named.Field}
	}
	return Refusal{Error: cmp.Or(refusals[Status(err)], "Something went wrong on our side.")}
}

// refusals are the texts for errors that have none of their own, by status.
var refusals = map[int]string{
	http.StatusBadRequest:            "The request is not valid.",
	http.StatusForbidden:             "This is not allowed with these credentials.",
	http.StatusNotFound:              "Not found.",
	http.StatusConflict:              "That is no longer possible.",
	http.StatusGone:                  "It has expired.",
	http.StatusRequestEntityTooLarge: "The request is too large.",
	http.StatusUnsupportedMediaType:  "Content-Type must be application/json.",
	http.StatusTooManyRequests:       "Too many tries. Please try again later.",
	http.StatusServiceUnavailable:    "The service is not available just now. Please try again in a moment.",
}

// WriteJSON answers with a JSON body that must not be cached.
func WriteJSON(w http.ResponseWriter, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // it fails only if the reader has gone
	return nil
}
