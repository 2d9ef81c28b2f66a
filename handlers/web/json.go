package web

import (
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
	refusal := Refusal{Error: apiMessage(Status(err), err)}
	if named := new(APIError); errors.As(err, &named) {
		refusal.Field = named.Field
	}
	return refusal
}

func apiMessage(status int, err error) string {
	var refusal *APIError
	if errors.As(err, &refusal) {
		return refusal.Text
	}
	switch status {
	case http.StatusBadRequest:
		return "The request is not valid."
	case http.StatusForbidden:
		return "This is not allowed with these credentials."
	case http.StatusNotFound:
		return "Not found."
	case http.StatusConflict:
		return "That is no longer possible."
	case http.StatusGone:
		return "It has expired."
	case http.StatusRequestEntityTooLarge:
		return "The request is too large."
	case http.StatusUnsupportedMediaType:
		return "Content-Type must be application/json."
	case http.StatusTooManyRequests:
		return "Too many tries. Please try again later."
	case http.StatusServiceUnavailable:
		return "The service is not available just now. Please try again in a moment."
	default:
		return "Something went wrong on our side."
	}
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
