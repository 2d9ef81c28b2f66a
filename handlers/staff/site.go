package staff

import (
	"errors"
	"net/http"

	"forecourt/handlers/web"
	"forecourt/internal/site/frontpage"
	"forecourt/static"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// SitePath is the address at which staff edit the navigation and the slides.
const SitePath = "/staff/site"

// Site serves the editor of the navigation and the slides.
type Site struct {
	Entries *editor[frontpage.Entry]
	Slides  *editor[frontpage.Slide]

	store   *frontpage.Store
	uploads *web.Uploads
}

// NewSite returns an editor of the store's contents.
func NewSite(store *frontpage.Store, uploads *web.Uploads) *Site {
	s := &Site{store: store, uploads: uploads}
	s.Entries, s.Slides = s.entries(), s.slides()
	return s
}

// Show answers GET /staff/site.
func (s *Site) Show(w http.ResponseWriter, r *http.Request) error {
	preview, err := s.read(r)
	if err != nil {
		return err
	}
	done := r.URL.Query().Get("done")
	return web.Render(w, r, http.StatusOK, view.SitePage(view.Site{
		SitePreview: preview, Frame: siteFrame("Navigation and slides"), Path: SitePath, Done: view.SiteDone[done],
	}))
}

func (s *Site) read(r *http.Request) (p view.SitePreview, err error) {
	if p.Entries, err = s.store.Entries.List(r.Context()); err == nil {
		p.Slides, err = s.store.Slides.List(r.Context())
	}
	return p, err
}

func siteFrame(title string) ui.Site {
	return ui.Site{Title: title, Styles: []string{static.URL("landing.css"), static.URL("staff.css")}}
}

// unsaved says why a part was not saved; notice is "" if it was. now is the version that is stored instead, or nil if there is none. It
// returns other errors unchanged.
func unsaved[T any](err error, stored func() (T, error)) (notice string, now *T, other error) {
	switch {
	case errors.Is(err, frontpage.ErrFull):
		return view.SiteFull(frontpage.Most), nil, nil
	case !errors.Is(err, frontpage.ErrChanged):
		return "", nil, err
	}
	part, err := stored()
	switch {
	case errors.Is(err, frontpage.ErrMissing):
		return view.SiteGone, nil, nil
	case err != nil:
		return "", nil, err
	}
	return view.SiteChanged, &part, nil
}
