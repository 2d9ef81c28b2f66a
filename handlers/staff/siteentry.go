package staff

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/picture"
	"forecourt/internal/site/frontpage"
	view "forecourt/views/staff"
)

// fresh stands in an address for the id of a new part.
const fresh = "new"

// editor serves the form of an entry of the navigation, or of a slide.
type editor[T any] struct {
	site  *Site
	parts *frontpage.Parts[T]
	path  string // of the forms
	// read reads a form, and says what of it is refused whatever the button does.
	read  func(w http.ResponseWriter, r *http.Request) (form url.Values, one T, refused fault.Problems, err error)
	check func(context.Context, T) (T, fault.Problems)
	form  func(T, fault.Problems) view.SitePart
	facts func(T) []view.Fact
	shown func(*view.SitePreview) *[]T
}

func (s *Site) entries() *editor[frontpage.Entry] {
	return &editor[frontpage.Entry]{
		site: s, parts: s.store.Entries, path: SitePath + "/nav/", form: view.EntryForm, facts: view.EntryFacts,
		read: func(_ http.ResponseWriter, r *http.Request) (url.Values, frontpage.Entry, fault.Problems, error) {
			err := web.ParseForm(r)
			return r.PostForm, frontpage.Entry{Name: r.PostForm.Get("name"), Url: r.PostForm.Get("url")}, nil, err
		},
		check: func(_ context.Context, e frontpage.Entry) (frontpage.Entry, fault.Problems) {
			return frontpage.CheckEntry(e)
		},
		shown: func(p *view.SitePreview) *[]frontpage.Entry { return &p.Entries },
	}
}

func (s *Site) slides() *editor[frontpage.Slide] {
	return &editor[frontpage.Slide]{
		site: s, parts: s.store.Slides, path: SitePath + "/slides/", read: s.readSlide, facts: view.SlideFacts,
		check: func(ctx context.Context, slide frontpage.Slide) (frontpage.Slide, fault.Problems) {
			has, err := s.store.HasPicture(ctx, slide.Picture)
			return frontpage.CheckSlide(slide, err == nil && has)
		},
		form:  view.SlideForm,
		shown: func(p *view.SitePreview) *[]frontpage.Slide { return &p.Slides },
	}
}

// readSlide reads the form of a slide and stores its file.
func (s *Site) readSlide(w http.ResponseWriter, r *http.Request) (form url.Values, slide frontpage.Slide, bad fault.Problems, err error) {
	leave, err := s.uploads.Admit(w, r, session.Who(r).ID.String())
	if err != nil {
		return nil, slide, nil, err
	}
	defer leave()
	sent, err := web.ParseUpload(w, r, picture.MaxBytes)
	if err != nil {
		return nil, slide, nil, err
	}
	form = sent.Values
	slide = frontpage.Slide{Title: form.Get("title"), SubTitle: form.Get("sub"), Picture: form.Get("picture")}
	const field = "picture-file"
	file, staff := sent.Files[field], session.Who(r)
	if sent.Cut || sent.Large[field] {
		return form, slide, fault.Problems{"file": picture.ErrBytes.Error()}, nil
	}
	if len(file) == 0 {
		return form, slide, nil, nil
	}
	address, err := s.store.AddPicture(r.Context(), staff.Email, file)
	switch {
	case picture.Refused(err):
		return form, slide, fault.Problems{"file": err.Error()}, nil
	case errors.Is(err, frontpage.ErrFull):
		return form, slide, fault.Problems{"file": view.SlidePicturesFull}, nil
	case err == nil:
		slide.Picture = address
	}
	return form, slide, nil, err
}

// Show answers GET.
func (e *editor[T]) Show(w http.ResponseWriter, r *http.Request) error {
	one, err := e.stored(r)
	if err != nil {
		return err
	}
	return e.render(w, r, http.StatusOK, one, e.form(one, nil))
}

// Change answers POST: do is save, look, remove, up or down.
func (e *editor[T]) Change(w http.ResponseWriter, r *http.Request) error {
	form, one, refused, err := e.read(w, r)
	if err != nil {
		return err
	}
	staff, _ := session.Signed(r)
	id, revision := e.parts.Key(&one)
	n, _ := strconv.ParseInt(form.Get("revision"), 10, 32) // one that is never stored if it is not a number
	*revision = int32(n)
	if *id = chi.URLParam(r, "id"); *id == fresh {
		*id = ""
	}
	do := form.Get("do")
	switch do {
	case "up", "down":
		err = e.parts.Move(r.Context(), staff.Email, *id, do == "up")
	case "remove":
		err = e.parts.Remove(r.Context(), staff.Email, one)
	case "save", "look":
		checked, problems := e.check(r.Context(), one)
		one = checked
		if maps.Copy(problems, refused); len(problems) > 0 {
			return e.render(w, r, http.StatusUnprocessableEntity, one, e.form(one, problems))
		}
		if do == "look" {
			return e.render(w, r, http.StatusOK, one, e.form(one, nil))
		}
		err = e.parts.Save(r.Context(), staff.Email, one)
	default:
		err = fault.New(fault.Invalid, "unknown button")
	}
	notice, now, err := unsaved(err, func() (T, error) { return e.stored(r) })
	switch {
	case err != nil:
		return err
	case notice == "":
		return web.Redirect(w, r, SitePath+"?done="+do)
	case notice == view.SiteGone:
		*id = ""
	}
	var theirs []view.Fact
	if now != nil {
		if do == "remove" {
			one = *now
		}
		_, current := e.parts.Key(now)
		*revision, theirs = *current, e.facts(*now)
	}
	m := e.form(one, nil)
	m.Notice, m.Theirs = notice, theirs
	return e.render(w, r, http.StatusConflict, one, m)
}

// stored returns the stored part that a request names. Errors: frontpage.ErrMissing.
func (e *editor[T]) stored(r *http.Request) (one T, err error) {
	id := chi.URLParam(r, "id")
	if id == fresh {
		return one, nil
	}
	all, err := e.parts.List(r.Context())
	if err != nil {
		return one, err
	}
	if i := e.index(all, id); i >= 0 {
		return all[i], nil
	}
	return one, frontpage.ErrMissing
}

func (e *editor[T]) index(all []T, id string) int {
	return slices.IndexFunc(all, func(other T) bool {
		its, _ := e.parts.Key(&other)
		return *its == id
	})
}

func (e *editor[T]) render(w http.ResponseWriter, r *http.Request, status int, one T, m view.SitePart) error {
	preview, err := e.site.read(r)
	if err != nil {
		return err
	}
	id, _ := e.parts.Key(&one)
	all := e.shown(&preview)
	i := e.index(*all, *id)
	switch {
	case m.Refused: // the preview shows the stored version
	case i >= 0:
		(*all)[i] = one
	case m.Fields[0].Value != "":
		*all = append(*all, one)
	}
	m.Stored, m.URL, m.Preview = *id != "", e.path+fresh, preview
	if m.Stored {
		m.URL = e.path + *id
	}
	_, revision := e.parts.Key(&one)
	m.Back, m.Revision, m.Frame = SitePath, *revision, siteFrame(m.Title)
	return web.Render(w, r, status, view.SitePartPage(m))
}
