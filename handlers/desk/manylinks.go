package desk

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/printable"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/paylink"
	view "forecourt/views/desk"
)

const (
	mostFile  = 8 << 20  // bytes of a table
	mostTyped = 48 << 10 // bytes of a table or menu that the page can show again in its field
)

// ShowManyLinks answers GET /desk/{client}/links/many: a form that takes a table of pay links.
func (h *Handler) ShowManyLinks(w http.ResponseWriter, r *http.Request) error {
	return renderManyLinks(w, r, http.StatusOK, view.ManyLinks{Key: rand.Text()})
}

// MakeManyLinks answers POST /desk/{client}/links/many with a file or a text. It makes all links of the table or none. Posting the same
// form again leads to the same links.
func (h *Handler) MakeManyLinks(w http.ResponseWriter, r *http.Request) error {
	leave, err := h.Uploads.Admit(r)
	if err != nil {
		return err
	}
	defer leave()
	u, err := web.ParseUpload(w, r, mostFile)
	if err != nil {
		return err
	}
	m := view.ManyLinks{Key: u.Values.Get("key"), Text: u.Values.Get("rows")}
	if !order.ValidKey(m.Key) {
		m.Key = rand.Text()
	}
	table := []byte(m.Text)
	if file := u.Files["file"]; len(file) > 0 {
		table = file
		if m.Text = ""; len(file) <= mostTyped {
			m.Text = string(printable.Decode(file))
		}
	}
	if u.Cut || u.Large["file"] {
		m.Problem = view.TableTooLarge
		return renderManyLinks(w, r, http.StatusRequestEntityTooLarge, m)
	}
	rows, err := paylink.ReadCSV(table)
	id := ""
	if err == nil {
		member := session.MemberOf(r)
		id, err = h.Links.MakeMany(r.Context(), member.Person, member.Shop, m.Key, rows)
	}
	var problems paylink.Problems
	switch {
	case err == nil:
		return web.Redirect(w, r, address(r, "links")+"?batch="+url.QueryEscape(id))
	case errors.As(err, &problems):
		m.Problem, m.Rows = problems.Refused(), problems
	case errors.Is(err, paylink.ErrEmpty), len(table) == 0:
		m.Problem = view.TableEmpty
	case errors.Is(err, paylink.ErrHeading):
		m.Problem = view.TableHeading
	case errors.Is(err, paylink.ErrTooMany):
		m.Problem = view.TableTooMany
	case errors.Is(err, paylink.ErrKeyUsed):
		m.Key, m.Problem = rand.Text(), view.TableAgain
	default:
		return err
	}
	return renderManyLinks(w, r, http.StatusUnprocessableEntity, m)
}

func renderManyLinks(w http.ResponseWriter, r *http.Request, status int, m view.ManyLinks) error {
	return web.Render(w, r, status, view.ManyLinksPage(frame(r, "Many pay links"), session.MemberOf(r).Shop.Currency, m))
}
