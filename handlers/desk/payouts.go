package desk

import (
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/shop/books"
	view "forecourt/views/desk"
)

// ShowPayouts answers GET /desk/{client}/payouts?before=CURSOR&mode=test: the payouts, newest first, and the amount owed.
func (h *Handler) ShowPayouts(w http.ResponseWriter, r *http.Request) error {
	one, test := session.MemberOf(r).Shop, testPage(r)
	owed, err := h.Books.Owed(r.Context(), one, test)
	if err != nil {
		return err
	}
	list, next, err := h.Books.Payouts(r.Context(), one, test, r.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	fees, err := h.Books.Fees(r.Context(), one)
	if err != nil {
		return err
	}
	bank, err := h.bank(r, time.Now())
	if err != nil {
		return err
	}
	f := Frame(r, "Payouts")
	return web.Render(w, r, http.StatusOK, view.PayoutsPage(
		f, test, one.Currency, fees, owed, list, pages(r, f.In("payouts", test), "before", next),
		bank,
	))
}

// ShowPayout answers GET /desk/{client}/payouts/{id}?after=LINE with the lines of a payout; id is its number.
func (h *Handler) ShowPayout(w http.ResponseWriter, r *http.Request) error {
	p, fees, err := h.payout(r)
	if err != nil {
		return err
	}
	bank, err := h.bank(r, p.PaidAt)
	if err != nil {
		return err
	}
	f := Frame(r, "Payout")
	return web.Render(w, r, http.StatusOK, view.PayoutPage(f, p, fees, bank, pages(r, view.PayoutURL(f, p.Number), "after", p.Next)))
}

// ShowInvoice answers GET /desk/{client}/payouts/{id}/invoice: the invoice for the fees of a payout.
func (h *Handler) ShowInvoice(w http.ResponseWriter, r *http.Request) error {
	p, fees, err := h.payout(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.InvoicePage(Frame(r, "Fees"), p, fees, session.MemberOf(r).Shop.Abn))
}

// payout returns the payout that an address names, and the fees of its shop.
func (h *Handler) payout(r *http.Request) (p books.Payout, fees settlement.Fees, err error) {
	number, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return p, fees, books.ErrNoPayout
	}
	after, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 32)
	if err != nil {
		after = 0
	}
	one := session.MemberOf(r).Shop
	if p, err = h.Books.Payout(r.Context(), one, number, int32(after)); err != nil {
		return p, fees, err
	}
	fees, err = h.Books.Fees(r.Context(), one)
	return p, fees, err
}

// ShowOwed answers GET /desk/{client}/payouts/owed?after=CURSOR&mode=test: the movements that are in no payout yet, oldest first.
func (h *Handler) ShowOwed(w http.ResponseWriter, r *http.Request) error {
	one, test := session.MemberOf(r).Shop, testPage(r)
	owed, err := h.Books.Owed(r.Context(), one, test)
	if err != nil {
		return err
	}
	var lines []books.PayoutLine
	next := ""
	if owed.Known {
		if lines, next, err = h.Books.OwedLines(r.Context(), one, test, r.URL.Query().Get("after")); err != nil {
			return err
		}
	}
	f := Frame(r, "Owed to you")
	return web.Render(w, r, http.StatusOK, view.OwedPage(f, test, owed, lines, pages(r, f.In("payouts/owed", test), "after", next)))
}
