package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

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

// ReadJSON reads a JSON body into a value; unknown fields are ignored. A body that is not UTF-8, and
// an object that names a field twice, are refused: readers differ in what they make of them.
func ReadJSON[T any](r *http.Request) (T, error) {
	var value T
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return value, fault.New(fault.Media, "content type %q", media)
	}
	body, err := io.ReadAll(r.Body)
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return value, fault.New(fault.TooLarge, "body over %d bytes", large.Limit)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	if err == nil {
		err = decoder.Decode(&value)
	}
	_, behind := decoder.Token()
	switch {
	case err != nil, !utf8.Valid(body):
		// The decoder's own message may quote the body, which may hold a card number.
		return value, &APIError{Err: fault.New(fault.Invalid, "the body does not fit"), Text: "The body is not the JSON that this call takes."}
	case !errors.Is(behind, io.EOF):
		return value, &APIError{Err: fault.New(fault.Invalid, "text after the JSON"), Text: "There is more than one JSON value in the body."}
	case ambiguous(body):
		return value, &APIError{Err: fault.New(fault.Invalid, "a field is there twice"), Text: "A field is there twice."}
	}
	return value, nil
}

// ambiguous reports whether an object names a field twice. Small and capital letters are the same to the decoder, which has found
// body well formed.
func ambiguous(body []byte) bool {
	seen := map[string]bool{}
	depth := 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			start := i
			for i++; body[i] != '"'; i++ {
				if body[i] == '\\' {
					i++
				}
			}
			if rest := bytes.TrimLeft(body[i+1:], " \t\r\n"); depth > 1 || len(rest) == 0 || rest[0] != ':' {
				continue // not the name of a field, or one further inside
			}
			var name string
			if err := json.Unmarshal(body[start:i+1], &name); err != nil {
				return true // not reached
			}
			if name = strings.ToLower(name); seen[name] {
				return true
			}
			seen[name] = true
		}
	}
	return false
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
