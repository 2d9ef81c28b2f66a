package desk

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/books"
	view "forecourt/views/desk"
)

// ShowExports answers GET /desk/{client}/exports: forms for tables and statements, and the long tables that have been made.
func (h *Handler) ShowExports(w http.ResponseWriter, r *http.Request) error {
	now := time.Now().In(session.MemberOf(r).Shop.Zone())
	m := view.Exports{Typed: url.Values{
		"kind": {string(books.ExportPayments)}, "from": {now.AddDate(0, 0, 1-now.Day()).Format(time.DateOnly)},
		"to": {now.Format(time.DateOnly)}, "month": {now.AddDate(0, 0, -now.Day()).Format("2006-01")},
	}}
	maps.Copy(m.Typed, only(web.Query(r), "kind", "from", "to", "mode")) // a link may have chosen some
	return h.renderExports(w, r, http.StatusOK, m)
}

// Export answers POST /desk/{client}/exports with the file, or redirects to the page of a long table.
func (h *Handler) Export(w http.ResponseWriter, r *http.Request) error {
	m := view.Exports{Typed: only(r.PostForm, "kind", "from", "to", "month", "mode"), Problems: fault.Problems{}}
	switch r.PostForm.Get("do") {
	case "table":
		return h.exportTable(w, r, m)
	case "statement":
		return h.exportStatement(w, r, m)
	}
	return fault.New(fault.Invalid, "unknown button")
}

// admit calls export unless too many others are being made.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request, m view.Exports, export func() error) error {
	_, leave, err := h.exports.Enter(r.Context(), throttle.Known(session.Who(r).ID.String()))
	if err != nil {
		m.Notice = view.BusyExports
		return h.renderExports(w, r, http.StatusConflict, m)
	}
	defer leave()
	return export()
}

func (h *Handler) exportTable(w http.ResponseWriter, r *http.Request, m view.Exports) error {
	member, kind := session.MemberOf(r), books.ExportKind(m.Typed.Get("kind"))
	first, wrongFirst := typedDay(m.Typed.Get("from"))
	last, wrongLast := typedDay(m.Typed.Get("to"))
	switch {
	case wrongFirst:
		m.Problems["from"] = view.BadDay
	case wrongLast:
		m.Problems["to"] = view.BadDay
	case last.Before(first):
		m.Problems["to"] = view.DayBefore
	}
	if !slices.Contains(books.ExportKinds(), kind) {
		m.Problems["kind"] = view.BadKind
	}
	if len(m.Problems) > 0 {
		return h.renderExports(w, r, http.StatusUnprocessableEntity, m)
	}
	return h.admit(w, r, m, func() error {
		span := books.SpanOf(member.Shop, testBooks(member.Shop, m.Typed.Get("mode")), first, last)
		id, long, err := h.Books.Begin(r.Context(), member.Person, kind, span)
		switch {
		case errors.Is(err, books.ErrExports):
			m.Notice = view.ManyExports
			return h.renderExports(w, r, http.StatusConflict, m)
		case err != nil:
			return err
		case long:
			return web.Redirect(w, r, address(r, "exports/"+id.String()))
		}
		return web.SendParts(w, tableType, tableName(kind, span), 0, func(out io.Writer) error {
			return h.Books.Write(r.Context(), kind, span, out)
		})
	})
}

func (h *Handler) exportStatement(w http.ResponseWriter, r *http.Request, m view.Exports) error {
	member := session.MemberOf(r)
	month, err := time.Parse("2006-01", m.Typed.Get("month"))
	if err != nil || month.Year() < 2000 {
		m.Problems["month"] = view.BadMonth
		return h.renderExports(w, r, http.StatusUnprocessableEntity, m)
	}
	return h.admit(w, r, m, func() error {
		st, err := h.Books.Statement(r.Context(), member.Shop, testBooks(member.Shop, m.Typed.Get("mode")), month)
		if err != nil {
			return err
		}
		if err := h.Books.Note(r.Context(), member.Person, st.Span, "statement"); err != nil {
			return err
		}
		file, err := view.StatementPDF(st, member.Shop.Accent)
		if err != nil {
			return err
		}
		web.Download(w, "application/pdf", member.Shop.Code+"-statement-"+m.Typed.Get("month")+".pdf", file)
		return nil
	})
}

// typedDay reads a day of a form.
func typedDay(text string) (day time.Time, wrong bool) {
	day, err := time.Parse(time.DateOnly, text)
	return day, err != nil || day.Year() < 2000
}

// tableType is the media type of a table.
const tableType = "text/csv; charset=utf-8"

// tableName names the file of a table.
func tableName(kind books.ExportKind, s books.Span) string {
	name := fmt.Sprintf(
		"%s-%s-%s-to-%s", s.Shop, kind, s.Since.In(s.Zone).Format(time.DateOnly), s.Before.Add(-1).In(s.Zone).Format(time.DateOnly),
	)
	if s.Test {
		name += "-test"
	}
	return name + ".csv"
}

func (h *Handler) renderExports(w http.ResponseWriter, r *http.Request, status int, m view.Exports) error {
	list, err := h.Books.Exports(r.Context(), session.MemberOf(r).Shop)
	if err != nil {
		return err
	}
	m.Frame, m.List = Frame(r, "Exports"), list
	return web.Render(w, r, status, view.ExportsPage(m))
}

// ShowExport answers GET /desk/{client}/exports/{id}: the progress of a long table, and where to download it.
func (h *Handler) ShowExport(w http.ResponseWriter, r *http.Request) error {
	e, err := h.export(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.ExportPage(Frame(r, view.KindName(e.Kind)), e), view.ExportFragment)
}

// SendExport answers GET /desk/{client}/exports/{id}/file with a finished long table.
func (h *Handler) SendExport(w http.ResponseWriter, r *http.Request) error {
	e, err := h.export(r)
	if err != nil {
		return err
	}
	if !e.Done() {
		return books.ErrNoBook
	}
	return web.SendParts(w, tableType, tableName(e.Kind, e.Span()), e.Bytes, func(out io.Writer) error {
		return h.Books.WriteFile(r.Context(), e, out)
	})
}

// export returns the long table that an address names.
func (h *Handler) export(r *http.Request) (books.Export, error) {
	return h.Books.Export(r.Context(), session.MemberOf(r).Shop, chi.URLParam(r, "id"))
}
