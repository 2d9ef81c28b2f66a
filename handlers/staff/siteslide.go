package staff

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/picture"
	"forecourt/internal/site/frontpage"
	"forecourt/static"
	view "forecourt/views/staff"
)

// slidePictures is the folder with the pictures that slides may use.
const slidePictures = "img/pictures/"

// ShowSlide answers GET /staff/site/slides/{id}.
func (s *Site) ShowSlide(w http.ResponseWriter, r *http.Request) error {
	slide, err := s.slide(r)
	if err != nil {
		return err
	}
	return s.renderSlide(w, r, http.StatusOK, slide, view.SiteSlide{})
}

// ChangeSlide answers POST /staff/site/slides/{id}: do is save, look, remove, up or down.
func (s *Site) ChangeSlide(w http.ResponseWriter, r *http.Request) error {
	sent, err := web.ParseUpload(w, r, picture.MaxBytes)
	if err != nil {
		return err
	}
	staff, _ := session.Signed(r)
	do := sent.Values.Get("do")
	id, err := slideID(r)
	if err != nil {
		return err
	}
	slide := frontpage.Slide{ID: id, Title: sent.Values.Get("title"), SubTitle: sent.Values.Get("sub"), Picture: sent.Values.Get("picture")}
	slide.Revision = revisionOf(sent.Values)
	refused, err := s.receive(r, staff.Email, &slide, sent)
	if err != nil {
		return err
	}
	switch do {
	case "up", "down":
		err = s.store.MoveSlide(r.Context(), staff.Email, id, do == "up")
	case "remove":
		err = s.store.RemoveSlide(r.Context(), staff.Email, slide)
	case "save", "look":
		var problems fault.Problems
		slide, problems = frontpage.CheckSlide(slide, append(static.Names(slidePictures), s.uploaded(r, slide.Picture)...))
		if refused != "" {
			problems["file"] = refused
		}
		if len(problems) > 0 {
			return s.renderSlide(w, r, http.StatusUnprocessableEntity, slide, view.SiteSlide{Problems: problems})
		}
		if do == "look" {
			return s.renderSlide(w, r, http.StatusOK, slide, view.SiteSlide{})
		}
		err = s.store.SaveSlide(r.Context(), staff.Email, slide)
	default:
		err = fault.New(fault.Invalid, "unknown button")
	}
	notice, now, err := unsaved(err, func() (frontpage.Slide, error) { return s.slide(r) })
	switch {
	case err != nil:
		return err
	case notice == "":
		return web.Redirect(w, r, SitePath+"?done="+do)
	case notice == view.SiteGone:
		slide.ID = 0
	}
	m := view.SiteSlide{Notice: notice}
	if now != nil {
		if do == "remove" {
			slide = *now
		}
		slide.Revision, m.Theirs = now.Revision, view.SlideFacts(*now)
	}
	return s.renderSlide(w, r, http.StatusConflict, slide, m)
}

// receive stores the file of a slide's form. refused says why the file was refused; it is "" if it was stored or there is none.
func (s *Site) receive(r *http.Request, by string, slide *frontpage.Slide, sent web.Upload) (refused string, err error) {
	const field = "picture-file"
	file := sent.Files[field]
	if sent.Cut || sent.Large[field] {
		return picture.ErrBytes.Error(), nil
	}
	if len(file) == 0 {
		return "", nil
	}
	address, err := s.store.AddPicture(r.Context(), by, file)
	switch {
	case picture.Refused(err):
		return err.Error(), nil
	case errors.Is(err, frontpage.ErrFull):
		return view.SlidePicturesFull, nil
	case err != nil:
		return "", err
	}
	slide.Picture = address
	return "", nil
}

// uploaded returns the address if it is that of a picture uploaded by staff.
func (s *Site) uploaded(r *http.Request, address string) []string {
	if has, err := s.store.HasPicture(r.Context(), address); err != nil || !has {
		return nil
	}
	return []string{address}
}

// slideID returns the id in a request's address, or 0 for a new slide. Errors: frontpage.ErrMissing.
func slideID(r *http.Request) (int64, error) {
	text := chi.URLParam(r, "id")
	if text == fresh {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, frontpage.ErrMissing
	}
	return id, nil
}

// slide returns the stored slide that a request names. Errors: frontpage.ErrMissing.
func (s *Site) slide(r *http.Request) (frontpage.Slide, error) {
	id, err := slideID(r)
	if err != nil || id == 0 {
		return frontpage.Slide{}, err
	}
	slides, err := s.store.Slides(r.Context())
	if err != nil {
		return frontpage.Slide{}, err
	}
	i := slices.IndexFunc(slides, func(one frontpage.Slide) bool { return one.ID == id })
	if i < 0 {
		return frontpage.Slide{}, frontpage.ErrMissing
	}
	return slides[i], nil
}

func (s *Site) renderSlide(w http.ResponseWriter, r *http.Request, status int, slide frontpage.Slide, m view.SiteSlide) error {
	entries, slides, err := s.read(r)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(slides, func(other frontpage.Slide) bool { return other.ID == slide.ID })
	switch {
	case len(m.Problems) > 0: // the preview shows the stored version
	case i >= 0:
		slides[i] = slide
	case slide.Title != "":
		slides = append(slides, slide)
	}
	id := fresh
	if slide.ID != 0 {
		id = strconv.FormatInt(slide.ID, 10)
	}
	m.Back, m.URL, m.Slide = SitePath, SitePath+"/slides/"+id, slide
	m.Pictures, m.Preview = static.Names(slidePictures), view.SitePreview{Entries: entries, Slides: slides}
	m.Frame = siteFrame(m.Title())
	return web.Render(w, r, status, view.SiteSlidePage(m))
}
