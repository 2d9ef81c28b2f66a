package desk

import (
	"encoding/base64"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/books"
	view "forecourt/views/desk"
)

// ShowPayouts answers GET /desk/{client}/payouts?before=CURSOR: the payouts, newest first, and the amount owed.
func (h *Handler) ShowPayouts(w http.ResponseWriter, r *http.Request) error {
	one, from := session.MemberOf(r).Shop, r.URL.Query().Get("before")
	m := view.Payouts{
		Frame: frame(r, "Payouts"), Currency: one.Currency, Pages: view.Pages{First: address(r, "payouts"), Further: from != ""},
	}
	var more bool
	var err error
	if m.Owed, err = h.Books.Owed(r.Context(), one); err != nil {
		return err
	}
	if m.List, more, err = h.Books.Payouts(r.Context(), one, books.ReadCursor(from)); err != nil {
		return err
	}
	if more {
		last := m.List[len(m.List)-1]
		m.Pages.Next = m.Pages.First + "?before=" + books.Cursor{At: last.PaidAt, ID: last.ID}.String()
	}
	return web.Render(w, r, http.StatusOK, view.PayoutsPage(m))
}

// ShowPayout answers GET /desk/{client}/payouts/{id}?after=LINE with the lines of a payout; see view.PayoutURL.
func (h *Handler) ShowPayout(w http.ResponseWriter, r *http.Request) error {
	id, err := base64.RawURLEncoding.DecodeString(chi.URLParam(r, "id"))
	if err != nil {
		return books.ErrNoPayout
	}
	after, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 32)
	if err != nil {
		after = 0
	}
	m := view.Payout{Frame: frame(r, "Payout")}
	var more bool
	if m.Payout, m.Sums, m.Lines, more, err = h.Books.Payout(r.Context(), session.MemberOf(r).Shop, string(id), int32(after)); err != nil {
		return err
	}
	m.Pages = view.Pages{First: view.PayoutURL(m.Frame, m.Payout.ID), Further: after > 0}
	if more {
		m.Pages.Next = m.Pages.First + "?after=" + strconv.Itoa(m.Lines[len(m.Lines)-1].No)
	}
	return web.Render(w, r, http.StatusOK, view.PayoutPage(m))
}

// ShowOwed answers GET /desk/{client}/payouts/owed?after=CURSOR: the movements that are in no payout yet, oldest first.
func (h *Handler) ShowOwed(w http.ResponseWriter, r *http.Request) error {
	one, after := session.MemberOf(r).Shop, r.URL.Query().Get("after")
	m := view.Owed{Frame: frame(r, "Owed to you"), Pages: view.Pages{First: address(r, "payouts/owed"), Further: after != ""}}
	var more bool
	var err error
	if m.Owed, err = h.Books.Owed(r.Context(), one); err != nil {
		return err
	}
	if m.Owed.Known {
		if m.Lines, more, err = h.Books.OwedLines(r.Context(), one, books.ReadCursor(after)); err != nil {
			return err
		}
	}
	if more {
		last := m.Lines[len(m.Lines)-1]
		m.Pages.Next = m.Pages.First + "?after=" + books.Cursor{At: last.At, ID: last.Reference}.String()
	}
	return web.Render(w, r, http.StatusOK, view.OwedPage(m))
}

// ShowDisputes answers GET /desk/{client}/disputes?before=CURSOR: the open disputes, and those that have ended.
func (h *Handler) ShowDisputes(w http.ResponseWriter, r *http.Request) error {
	one, from := session.MemberOf(r).Shop, books.ReadCursor(r.URL.Query().Get("before"))
	m := view.Disputes{Frame: frame(r, "Disputes"), Pages: view.Pages{First: address(r, "disputes"), Further: !from.At.IsZero()}}
	var more bool
	var err error
	if !m.Pages.Further {
		if m.Open, m.MoreOpen, err = h.Books.OpenDisputes(r.Context(), one); err != nil {
			return err
		}
	}
	if m.Ended, more, err = h.Books.EndedDisputes(r.Context(), one, from); err != nil {
		return err
	}
	if more {
		last := m.Ended[len(m.Ended)-1]
		m.Pages.Next = m.Pages.First + "?before=" + books.Cursor{At: last.Ended, ID: last.ID.String()}.String()
	}
	return web.Render(w, r, http.StatusOK, view.DisputesPage(m))
}

// ShowDispute answers GET /desk/{client}/disputes/{id} with the facts of a dispute and what to do now.
func (h *Handler) ShowDispute(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(chi.URLParam(r, "id"))
	if err != nil {
		return books.ErrNoDispute
	}
	d, err := h.Books.Dispute(r.Context(), session.MemberOf(r).Shop, id)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.DisputePage(view.Dispute{Frame: frame(r, "Dispute"), Dispute: d}))
}
