package desk

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/run/picture"
	"forecourt/internal/shop/shop"
)

// pictureForm is a form of the desk that may carry a picture. Its field, such as "logo", is the address of the picture that the page shows,
// or "" for none; "logo-file" is the new file, and "logo-off" set to "on" removes the picture.
type pictureForm struct {
	url.Values
	Picture string // address to show from now on; that of a stored file, even if the rest of the form is refused
	Problem string // why the file was refused; "" if there is none
	Status  int    // of an answer that shows the form again
}

// receive reads such a form and stores its file. now is the address of the present picture. If the page puts the file last, the form's text
// is read whatever becomes of the file.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request, field, now string) (pictureForm, error) {
	leave, err := h.Uploads.Admit(w, r, session.Who(r).ID.String())
	if err != nil {
		return pictureForm{}, err
	}
	defer leave()
	sent, err := web.ParseUpload(w, r, picture.MaxBytes)
	if err != nil {
		return pictureForm{}, err
	}
	f := pictureForm{Values: sent.Values, Picture: sent.Values.Get(field), Status: http.StatusUnprocessableEntity}
	member := session.MemberOf(r)
	if f.Picture != now && f.Picture != "" {
		own, err := h.Shops.OwnsPicture(r.Context(), member.Shop.Code, f.Picture)
		if err != nil {
			return pictureForm{}, err
		}
		if !own {
			f.Picture = now
		}
	}
	if sent.Values.Get(field+"-off") == "on" {
		f.Picture = ""
	}
	file := sent.Files[field+"-file"]
	switch {
	case sent.Cut:
		f.Problem, f.Status = picture.ErrBytes.Error(), http.StatusRequestEntityTooLarge
	case sent.Large[field+"-file"]:
		f.Problem = picture.ErrBytes.Error()
	case len(file) > 0:
		err = h.keep(r, &f, file)
	}
	return f, err
}

// keep stores the file of a form, or notes why it is refused.
func (h *Handler) keep(r *http.Request, f *pictureForm, file []byte) error {
	member := session.MemberOf(r)
	address, err := h.Shops.AddPicture(r.Context(), member.Person, member.Shop.Code, file)
	switch {
	case picture.Refused(err):
		f.Problem = err.Error()
	case errors.Is(err, shop.ErrPictures), errors.Is(err, picture.ErrBusy):
		f.Problem, f.Status = err.Error(), web.Status(err)
	case err != nil:
		return err
	default:
		f.Picture = address
	}
	return nil
}

// SendPicture answers GET /picture/{hash} and GET /picture/{hash}/large. The picture at an address never changes, so everybody may cache
// it.
func (h *Handler) SendPicture(w http.ResponseWriter, r *http.Request) error {
	hash, size := chi.URLParam(r, "hash"), chi.URLParam(r, "size")
	if size != "" && size != "large" {
		return shop.ErrMissing
	}
	file, err := h.Shops.Picture(r.Context(), hash, size == "large")
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "image/jpeg")
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("ETag", `"`+hash+size+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file))
	return nil
}
