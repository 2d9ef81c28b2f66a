package staff

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/site/frontpage"
	view "forecourt/views/staff"
)

// fresh stands in an address for the id of a new entry.
const fresh = "new"

// ShowEntry answers GET /staff/site/nav/{id}.
func (s *Site) ShowEntry(w http.ResponseWriter, r *http.Request) error {
	e, err := s.entry(r)
	if err != nil {
		return err
	}
	return s.renderEntry(w, r, http.StatusOK, e, view.SiteEntry{})
}

// ChangeEntry answers POST /staff/site/nav/{id}: do is save, look, remove, up or down.
func (s *Site) ChangeEntry(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	staff, _ := session.Signed(r)
	id, do, revision := chi.URLParam(r, "id"), r.PostForm.Get("do"), revisionOf(r.PostForm)
	e := frontpage.Entry{ID: id, Name: r.PostForm.Get("name"), Url: r.PostForm.Get("url"), Revision: revision}
	if id == fresh {
		e.ID = ""
	}
	var err error
	switch do {
	case "up", "down":
		err = s.store.MoveEntry(r.Context(), staff.Email, id, do == "up")
	case "remove":
		err = s.store.RemoveEntry(r.Context(), staff.Email, e)
	case "save", "look":
		var problems fault.Problems
		if e, problems = frontpage.CheckEntry(e); len(problems) > 0 {
			return s.renderEntry(w, r, http.StatusUnprocessableEntity, e, view.SiteEntry{Problems: problems})
		}
		if do == "look" {
			return s.renderEntry(w, r, http.StatusOK, e, view.SiteEntry{})
		}
		err = s.store.SaveEntry(r.Context(), staff.Email, e)
	default:
		err = fault.New(fault.Invalid, "unknown button")
	}
	notice, now, err := unsaved(err, func() (frontpage.Entry, error) { return s.entry(r) })
	switch {
	case err != nil:
		return err
	case notice == "":
		return web.Redirect(w, r, SitePath+"?done="+do)
	case notice == view.SiteGone:
		e.ID = ""
	}
	m := view.SiteEntry{Notice: notice}
	if now != nil {
		if do == "remove" {
			e = *now
		}
		e.Revision, m.Theirs = now.Revision, view.EntryFacts(*now)
	}
	return s.renderEntry(w, r, http.StatusConflict, e, m)
}

// entry returns the stored entry that a request names. Errors: frontpage.ErrMissing.
func (s *Site) entry(r *http.Request) (frontpage.Entry, error) {
	id := chi.URLParam(r, "id")
	if id == fresh {
		return frontpage.Entry{}, nil
	}
	entries, err := s.store.Entries(r.Context())
	if err != nil {
		return frontpage.Entry{}, err
	}
	i := slices.IndexFunc(entries, func(e frontpage.Entry) bool { return e.ID == id })
	if i < 0 {
		return frontpage.Entry{}, frontpage.ErrMissing
	}
	return entries[i], nil
}

func (s *Site) renderEntry(w http.ResponseWriter, r *http.Request, status int, e frontpage.Entry, m view.SiteEntry) error {
	entries, slides, err := s.read(r)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(entries, func(other frontpage.Entry) bool { return other.ID == e.ID })
	switch {
	case len(m.Problems) > 0: // the preview shows the stored version
	case i >= 0:
		entries[i] = e
	case e.Name != "":
		entries = append(entries, e)
	}
	m.Back, m.URL, m.Entry, m.Preview = SitePath, SitePath+"/nav/"+orFresh(e.ID), e, view.SitePreview{Entries: entries, Slides: slides}
	m.Frame = siteFrame(m.Title())
	return web.Render(w, r, status, view.SiteEntryPage(m))
}

func orFresh(id string) string {
	if id == "" {
		return fresh
	}
	return id
}

// revisionOf returns the revision that an editor saw; one that is never stored if it is not a number.
func revisionOf(form url.Values) int32 {
	n, _ := strconv.ParseInt(form.Get("revision"), 10, 32)
	return int32(n)
}
