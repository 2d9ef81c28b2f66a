package web

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"forecourt/internal/fault"
)

// APIError is an error of the JSON API with words for its caller.
type APIError struct {
	Err  error  // decides the status
	Text string // told to the caller
}

func (e *APIError) Error() string { return e.Err.Error() }
func (e *APIError) Unwrap() error { return e.Err }

func apiMessage(status int, err error) string {
	var told *APIError
	if errors.As(err, &told) {
		return told.Text
	}
	switch status {
	case http.StatusBadRequest:
		return "The request is not valid."
	case http.StatusNotFound:
		return "Not found."
	case http.StatusConflict:
		return "That is not possible any more."
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

// ReadJSON reads a JSON body of at most limit bytes into a value; unknown fields are ignored.
func ReadJSON[T any](w http.ResponseWriter, r *http.Request, limit int64) (T, error) {
	var value T
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return value, fault.New(fault.Media, "content type %q", media)
	}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, limit))
	err := decoder.Decode(&value)
	var behind error
	if err == nil {
		_, behind = decoder.Token()
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large), errors.As(behind, &large):
		return value, fault.New(fault.TooLarge, "body over %d bytes", limit)
	case err != nil:
		// The decoder's own message may quote the body, which may hold a card number.
		return value, &APIError{Err: fault.New(fault.Invalid, "the body does not fit"), Text: "The body is not the JSON that this call takes."}
	case !errors.Is(behind, io.EOF):
		return value, &APIError{Err: fault.New(fault.Invalid, "text after the JSON"), Text: "There is more than one JSON value in the body."}
	}
	return value, nil
}

// WriteJSON answers with a JSON body that nobody stores.
func WriteJSON(w http.ResponseWriter, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a reader that is gone is nobody's error
	return nil
}
