package web

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
)

// ReadJSON reads a JSON object into a value and ignores unknown fields. It refuses a body that is not UTF-8 and an object that names a
// field twice, because parsers differ about those. It refuses a field of a wrong type by name.
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
	case err != nil:
		return value, unreadable(err)
	case !utf8.Valid(body):
		return value, notJSON("The body is not UTF-8.")
	case !errors.Is(behind, io.EOF):
		return value, notJSON("There is more than one JSON value in the body.")
	}
	if name, twice := repeated(body); twice {
		text := "A field appears twice."
		if printableName(name) {
			text = "The field " + name + " appears twice."
		}
		return value, notJSON(text)
	}
	return value, nil
}

func notJSON(text string) error {
	return &APIError{Err: fault.New(fault.Invalid, "the body does not fit"), Text: text}
}

// unreadable says what is wrong with a body. It does not use the decoder's message, which may quote the body and so a card number.
func unreadable(err error) error {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return Wrong(wrong.Field, "has to be "+kindOf(wrong.Type))
	case errors.As(err, &wrong):
		return notJSON("The body has to be a JSON object.")
	case errors.Is(err, io.EOF):
		return notJSON("The body is empty. It has to be a JSON object.")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return notJSON("The body ends in the middle of the JSON.")
	case errors.As(err, &syntax):
		return notJSON(fmt.Sprintf("The body is not valid JSON: the mistake is at byte %d.", syntax.Offset))
	default:
		return notJSON("The body does not have the form that this call takes.")
	}
}

// Ruled is a type that describes the JSON that it accepts, such as "an amount".
type Ruled interface{ Rule() string }

// kindOf describes the JSON that a Go type accepts.
func kindOf(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch value := reflect.New(t).Interface().(type) {
	case Ruled:
		return value.Rule()
	case encoding.TextUnmarshaler:
		return "a text"
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	default:
		return "a whole number"
	}
}

// printableName reports whether an answer may repeat the name of a field. A sender can put anything there, even a card number.
func printableName(name string) bool {
	return len(name) <= 40 && !card.MayHoldNumber(name)
}

// repeated returns the first name that an object has twice, ignoring case as the decoder does. body has to be well formed.
func repeated(body []byte) (name string, twice bool) {
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
			if err := json.Unmarshal(body[start:i+1], &name); err != nil {
				return "", true // not reached
			}
			small := strings.ToLower(name)
			if seen[small] {
				return name, true
			}
			seen[small] = true
		}
	}
	return "", false
}
