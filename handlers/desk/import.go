package desk

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/printable"
	"forecourt/internal/shop/menu"
	view "forecourt/views/desk"
)

// mostMenu is the size of the largest accepted file, in bytes.
const mostMenu = 4 << 20

// ShowImport answers GET /desk/{client}/menu/import.
func (h *Handler) ShowImport(w http.ResponseWriter, r *http.Request) error {
	return h.renderImport(w, r, http.StatusOK, view.Import{Add: true})
}

// TakeFile answers POST /desk/{client}/menu/import. It compares a file with the draft. The form of the comparison sends the file's text
// again with the revision of the draft, and takes it into the draft.
func (h *Handler) TakeFile(w http.ResponseWriter, r *http.Request) error {
	leave, err := h.Uploads.Admit(w, r, session.Who(r).ID.String())
	if err != nil {
		return err
	}
	defer leave()
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media != "multipart/form-data" {
		if err := web.ParseForm(r); err != nil {
			return err
		}
		return h.readFile(w, r, r.PostForm, []byte(r.PostForm.Get("text")))
	}
	u, err := web.ParseUpload(w, r, mostMenu)
	if err != nil {
		return err
	}
	if u.Cut || u.Large["file"] {
		return h.renderImport(w, r, http.StatusUnprocessableEntity, view.Import{
			Add: adds(u.Values), Problem: fmt.Sprintf("Choose a file of at most %d MB.", mostMenu>>20), Text: u.Values.Get("text"),
		})
	}
	file := u.Files["file"]
	if len(file) == 0 {
		file = []byte(u.Values.Get("text"))
	}
	return h.readFile(w, r, u.Values, file)
}

// adds reports whether a form keeps the items that a file does not have.
func adds(form url.Values) bool { return form.Get("way") != "replace" }

// readFile takes a file into the draft if the form names the draft's revision, and else shows what it would change.
func (h *Handler) readFile(w http.ResponseWriter, r *http.Request, form url.Values, file []byte) error {
	if len(file) == 0 {
		return h.renderImport(w, r, http.StatusUnprocessableEntity, view.Import{Add: adds(form), Problem: "Choose a file."})
	}
	member, m := session.MemberOf(r), view.Import{Add: adds(form)}
	state, err := h.Menus.Open(r.Context(), member.Shop.Code)
	if err != nil {
		return err
	}
	read, assumed, wrong, err := h.Menus.Read(r.Context(), member.Shop.Code, file, m.Add, state)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		m.Faults, m.Text = wrong, shownText(file)
		return h.renderImport(w, r, http.StatusUnprocessableEntity, m)
	}
	status, revision := http.StatusOK, revisionOf(form)
	if revision >= 0 {
		err = menu.ErrChanged
		if revision == state.Revision { // with whose draft the file was read
			err = h.Menus.Take(r.Context(), member.Person, member.Shop.Code, read, revision)
		}
		switch {
		case err == nil:
			return web.Redirect(w, r, address(r, "menu")+"?done=imported")
		case !errors.Is(err, menu.ErrChanged):
			return err
		}
		status, m.Trouble = http.StatusConflict, "Somebody has changed the draft, so we compared the file again."
	}
	text, _, err := printable.Decode(file)
	if err != nil {
		return err // Read has decoded it
	}
	m.Compared, m.Whole, m.State, m.Assumed = true, string(text), state, assumed
	m.Changes = menu.Compare(&state.Draft, &read, member.Shop.Currency)
	return h.renderImport(w, r, status, m)
}

// shownText returns the text of a file, so that the page can show it for correction. It returns "" for a file that is too long or not text.
func shownText(file []byte) string {
	text, _, err := printable.Decode(file)
	if err != nil || len(text) > mostTyped {
		return ""
	}
	return string(text)
}

func (h *Handler) renderImport(w http.ResponseWriter, r *http.Request, status int, m view.Import) error {
	m.Frame, m.URL = Frame(r, "Import and export"), address(r, "menu")
	return web.Render(w, r, status, view.ImportPage(m))
}

// SendMenu answers GET /desk/{client}/menu/export/menu.csv: the draft.
func (h *Handler) SendMenu(w http.ResponseWriter, r *http.Request) error {
	code := session.MemberOf(r).Shop.Code
	state, err := h.Menus.Open(r.Context(), code)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := state.Draft.WriteCSV(&file); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+code+`-menu.csv"`)
	_, err = w.Write(file.Bytes())
	return err
}
