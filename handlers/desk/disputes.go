package desk

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/books"
	view "forecourt/views/desk"
)

// ShowDisputes answers GET /desk/{client}/disputes?before=CURSOR: the open disputes, and those that have ended.
func (h *Handler) ShowDisputes(w http.ResponseWriter, r *http.Request) error {
	one, from := session.MemberOf(r).Shop, paymentCursor(r.URL.Query().Get("before"))
	m := view.Disputes{Frame: frame(r, "Disputes"), URL: address(r, "disputes"), Test: !one.Live, Further: !from.At.IsZero()}
	if !m.Further {
		open, more, err := h.Books.OpenDisputes(r.Context(), one)
		if err != nil {
			return err
		}
		m.Open, m.MoreOpen = open, more
	}
	ended, more, err := h.Books.EndedDisputes(r.Context(), one, from.At, from.Attempt)
	if err != nil {
		return err
	}
	m.Ended = ended
	if more {
		last := ended[len(ended)-1]
		m.Next = m.URL + "?before=" + strconv.FormatInt(last.Ended.UnixMicro(), 10) + "." + last.ID.String()
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
	return web.Render(w, r, http.StatusOK, view.DisputePage(view.Dispute{
		Frame: frame(r, "Dispute"), Back: address(r, "disputes"), PaymentURL: address(r, "payments/"+url.PathEscape(d.Payment)), Dispute: d,
	}))
}

// disputeOf returns the address of the dispute in a payment's timeline, or "" if there is none.
func disputeOf(r *http.Request, c books.Case) string {
	for _, e := range c.Timeline {
		if e.Dispute != "" {
			return address(r, "disputes/"+e.Dispute)
		}
	}
	return ""
}
