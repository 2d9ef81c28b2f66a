package desk

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/printable"
	"forecourt/internal/shop/books"
	view "forecourt/views/desk"
)

// ShowPayouts answers GET /desk/{client}/payouts?before=CURSOR: the payouts, newest first, and the amount owed.
func (h *Handler) ShowPayouts(w http.ResponseWriter, r *http.Request) error {
	one, before := session.MemberOf(r).Shop, r.URL.Query().Get("before")
	m := view.Payouts{
		Frame: frame(r, "Payouts"), URL: address(r, "payouts"), OwedURL: address(r, "payouts/owed"),
		Currency: one.Currency, Test: !one.Live, Further: before != "",
	}
	var err error
	if m.Owed, err = h.Books.Owed(r.Context(), one); err != nil {
		return err
	}
	list, more, err := h.Books.Payouts(r.Context(), one, payoutCursor(before))
	if err != nil {
		return err
	}
	for _, p := range list {
		m.List = append(m.List, view.ListedPayout{Payout: p, URL: payoutURL(r, p.ID)})
	}
	if more {
		last := list[len(list)-1]
		m.Next = m.URL + "?before=" + cursorAt(last.At, last.ID)
	}
	return web.Render(w, r, http.StatusOK, view.PayoutsPage(m))
}

// ShowPayout answers GET /desk/{client}/payouts/{id}?after=LINE with the lines of a payout. The id is the gateway's, which may be any text,
// and is encoded.
func (h *Handler) ShowPayout(w http.ResponseWriter, r *http.Request) error {
	id, err := base64.RawURLEncoding.DecodeString(chi.URLParam(r, "id"))
	if err != nil {
		return books.ErrNoPayout
	}
	after, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 32)
	if err != nil {
		after = 0
	}
	p, sums, lines, more, err := h.Books.Payout(r.Context(), session.MemberOf(r).Shop, string(id), int32(after))
	if err != nil {
		return err
	}
	m := view.Payout{
		Frame: frame(r, "Payout"), Back: address(r, "payouts"), PaymentsURL: address(r, "payments"),
		Payout: p, Sums: sums, Lines: lines, Further: after > 0,
		URL: payoutURL(r, p.ID),
	}
	if more {
		m.Next = m.URL + "?after=" + strconv.Itoa(lines[len(lines)-1].No)
	}
	return web.Render(w, r, http.StatusOK, view.PayoutPage(m))
}

// ShowOwed answers GET /desk/{client}/payouts/owed?after=CURSOR: the movements that are in no payout yet, oldest first.
func (h *Handler) ShowOwed(w http.ResponseWriter, r *http.Request) error {
	one, after := session.MemberOf(r).Shop, r.URL.Query().Get("after")
	m := view.Owed{
		Frame: frame(r, "Owed to you"), Back: address(r, "payouts"), URL: address(r, "payouts/owed"),
		PaymentsURL: address(r, "payments"), Further: after != "",
	}
	var err error
	if m.Owed, err = h.Books.Owed(r.Context(), one); err != nil {
		return err
	}
	if m.Owed.Known {
		list, more, err := h.Books.OwedLines(r.Context(), one, payoutCursor(after))
		if err != nil {
			return err
		}
		m.Lines = list
		if more {
			last := list[len(list)-1]
			m.Next = m.URL + "?after=" + cursorAt(last.At, last.Reference)
		}
	}
	return web.Render(w, r, http.StatusOK, view.OwedPage(m))
}

// payoutURL returns the address of a payout on the desk of a request.
func payoutURL(r *http.Request, id string) string {
	return address(r, "payouts/"+base64.RawURLEncoding.EncodeToString([]byte(id)))
}

func cursorAt(at time.Time, id string) string {
	return strconv.FormatInt(at.UnixMicro(), 10) + "." + base64.RawURLEncoding.EncodeToString([]byte(id))
}

// payoutCursor reads where a page of payouts or of movements begins; an invalid cursor starts at the beginning.
func payoutCursor(text string) books.PayoutCursor {
	micro, encoded, _ := strings.Cut(text, ".")
	at, err := strconv.ParseInt(micro, 10, 64)
	id, wrong := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || wrong != nil || at < 0 || at > 250e15 || !printable.Line(string(id), 255) {
		return books.PayoutCursor{}
	}
	return books.PayoutCursor{At: time.UnixMicro(at), ID: string(id)}
}
