package web

import (
	"errors"
	"mime"
	"net/http"

	"forecourt/internal/fault"
)

// ParseForm reads a form post of at most limit bytes into r.PostForm.
func ParseForm(w http.ResponseWriter, r *http.Request, limit int64) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return fault.New(fault.Media, "content type %q", media)
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	err = r.ParseForm()
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return fault.New(fault.TooLarge, "form over %d bytes", limit)
	case err != nil:
		return fault.New(fault.Invalid, "the form does not parse") // its message may quote what was typed
	}
	return nil
}

// Redirect answers a form post: the browser gets the next page by GET.
func Redirect(w http.ResponseWriter, r *http.Request, address string) error {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, address, http.StatusSeeOther)
	return nil
}
