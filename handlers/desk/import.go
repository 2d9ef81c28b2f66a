package desk

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/bulk"
	"forecourt/internal/menu"
	"forecourt/internal/menu/menustore"
	view "forecourt/views/desk"
)

// mostMenu is the size of the largest accepted file, in bytes.
const mostMenu = 4 << 20

// ShowImport answers GET /desk/{client}/menu/import.
func (h *Handler) ShowImport(w http.ResponseWriter, r *http.Request) error {
	return h.renderImport(w, r, http.StatusOK, view.ImportOf(true, ""))
}

// TakeFile answers POST /desk/{client}/menu/import. It compares a file with the draft, or takes a menu that it has compared into the draft.
func (h *Handler) TakeFile(w http.ResponseWriter, r *http.Request) error {
	leave, err := h.Uploads.Admit(r)
	if err != nil {
		return err
	}
	defer leave()
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media != "multipart/form-data" {
		return h.takeCompared(w, r)
	}
	u, err := web.ParseUpload(w, r, mostMenu)
	if err != nil {
		return err
	}
	add, file := u.Values.Get("way") != "replace", u.Files["file"]
	if len(file) == 0 {
		file = []byte(u.Values.Get("text"))
	}
	problem := ""
	switch {
	case u.Cut, u.Large["file"]:
		problem = fmt.Sprintf("Choose a file of at most %d MB.", mostMenu>>20)
	case len(file) == 0:
		problem = "Choose a file."
	}
	m := view.ImportOf(add, problem)
	if problem != "" {
		m.Text = u.Values.Get("text")
		return h.renderImport(w, r, http.StatusUnprocessableEntity, m)
	}
	state, locations, err := h.openMenu(r)
	if err != nil {
		return err
	}
	from, wrong := menu.Read(file, state.Draft, locations)
	read := from.Menu
	if len(wrong) == 0 {
		read = read.Adopt(state.Draft)
		if add {
			read = state.Draft.Merge(read)
		}
		var faults []menu.Fault
		if read, faults = read.Check(locations); len(faults) == 0 {
			if faults, err = h.Menus.CheckPictures(r.Context(), web.MemberOf(r).Shop.Code, read, state.Draft); err != nil {
				return err
			}
		}
		wrong = menu.Wrongs(faults)
	}
	if len(wrong) > 0 {
		m.Wrong, m.Text = wrong, shownText(file)
		return h.renderImport(w, r, http.StatusUnprocessableEntity, m)
	}
	return h.compare(w, r, http.StatusOK, state, read, m)
}

func (h *Handler) compare(w http.ResponseWriter, r *http.Request, status int, state menustore.State, read menu.Menu, m view.Import) error {
	document, err := read.WriteJSON()
	if err != nil {
		return err
	}
	m.Compared, m.Document, m.Changes = true, string(document), menu.Compare(&state.Draft, &read, web.MemberOf(r).Shop.Currency)
	m.Revision = strconv.FormatInt(state.Revision, 10)
	return h.renderImport(w, r, status, m)
}

// takeCompared takes the menu that was compared with the draft, unless the draft has changed since.
func (h *Handler) takeCompared(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	member := web.MemberOf(r)
	read, err := menu.ReadJSON([]byte(r.PostForm.Get("document")))
	revision, errRevision := strconv.ParseInt(r.PostForm.Get("revision"), 10, 64)
	if err != nil || errRevision != nil {
		return h.renderImport(w, r, http.StatusUnprocessableEntity, view.ImportOf(true, "Choose the file again."))
	}
	faults, err := h.Menus.Take(r.Context(), member.Person, member.Shop.Code, read, revision)
	if errors.Is(err, menustore.ErrChanged) {
		state, err := h.Menus.Open(r.Context(), member.Shop.Code)
		if err != nil {
			return err
		}
		m := view.ImportOf(true, "")
		m.Trouble = "Somebody has changed the draft, so we compared the file again."
		return h.compare(w, r, http.StatusConflict, state, read.Adopt(state.Draft), m)
	}
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		m := view.ImportOf(true, "")
		m.Wrong, m.Text = menu.Wrongs(faults), shownText([]byte(r.PostForm.Get("document")))
		return h.renderImport(w, r, http.StatusUnprocessableEntity, m)
	}
	return web.Redirect(w, r, address(r, "menu")+"?done=imported")
}

// shownText returns the text of a file, so that the page can show it for correction. It returns "" for a file that is too long or not text.
func shownText(file []byte) string {
	text := bulk.Text(file)
	if len(text) > mostTyped || !utf8.Valid(text) {
		return ""
	}
	return string(text)
}

func (h *Handler) renderImport(w http.ResponseWriter, r *http.Request, status int, m view.Import) error {
	m.Frame, m.URL = frame(r, "Import and export"), address(r, "menu")
	return web.Render(w, r, status, view.ImportPage(m))
}

// SendMenu answers GET /desk/{client}/menu/export/{file}: the draft as menu.csv or menu.json.
func (h *Handler) SendMenu(w http.ResponseWriter, r *http.Request) error {
	member, name := web.MemberOf(r), chi.URLParam(r, "file")
	state, err := h.Menus.Open(r.Context(), member.Shop.Code)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	switch name {
	case "menu.csv":
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		err = state.Draft.WriteCSV(&file)
	case "menu.json":
		w.Header().Set("Content-Type", "application/json")
		var text []byte
		text, err = state.Draft.WriteJSON()
		file.Write(text)
	default:
		return menustore.ErrMissing
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="`+member.Shop.Code+"-"+name+`"`)
	_, err = w.Write(file.Bytes())
	return err
}
