package web

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// ParseForm reads a form post into r.PostForm, its texts in one form.
func ParseForm(r *http.Request) error {
	err := ParseExact(r)
	clean(r.PostForm)
	return err
}

// ParseExact is ParseForm for a form in which each character counts.
func ParseExact(r *http.Request) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return fault.New(fault.Media, "content type %q", media)
	}
	err = r.ParseForm()
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return fault.New(fault.TooLarge, "form over %d bytes", large.Limit)
	case err != nil:
		return fault.New(fault.Invalid, "the form does not parse") // the parser's message may quote what was typed
	}
	return nil
}

// Query returns what people typed into the fields of an address, such as a search, its texts in one form.
func Query(r *http.Request) url.Values {
	query := r.URL.Query()
	clean(query)
	return query
}

// clean brings the texts of a form into one form, without spaces around them. A secret stays as it was typed.
func clean(fields url.Values) {
	for name, values := range fields {
		if secret := strings.Contains(strings.ToLower(name), "password") || name == "confirm" || strings.HasPrefix(name, "secret"); secret {
			continue
		}
		for i := range values {
			values[i] = typed.Text(values[i])
		}
	}
}

// Redirect answers a form post: the browser gets the next page by GET. htmx swaps that page's answer in.
func Redirect(w http.ResponseWriter, r *http.Request, address string) error {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, address, http.StatusSeeOther)
	return nil
}

// Leave answers a form post like Redirect, but the browser loads the whole next page even if htmx sent the form, because the signed-in
// person shows in several places of a page.
func Leave(w http.ResponseWriter, r *http.Request, address string) error {
	if r.Header.Get("HX-Request") != "true" {
		return Redirect(w, r, address)
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("HX-Redirect", address)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
