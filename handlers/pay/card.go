package pay

import (
	"crypto/rand"
	"errors"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/payment"
	"forecourt/internal/shop/order"
)

// PayByCard answers POST /pos/{client}/{id}, the card form without scripts. Whatever the outcome, the browser gets the page by GET, so that
// going back never asks it to post a card again.
func (h *Handler) PayByCard(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	for _, values := range r.PostForm {
		if len(values) > 1 {
			return fault.New(fault.Invalid, "a field of the card form was sent twice")
		}
	}
	input := payment.CardInput{
		Name: r.PostForm.Get("name"), Number: card.Type(r.PostForm.Get("card")), Expiry: r.PostForm.Get("exp"),
		CVC: card.Type(r.PostForm.Get("cvc")), Email: r.PostForm.Get("email"),
	}
	key := r.PostForm.Get("key")
	if !order.ValidKey(key) {
		key = rand.Text()
	}
	checked, problems := input.Check(time.Now())
	if len(problems) > 0 {
		return h.refuse(w, r, input, wrong(problems))
	}
	shop, id := chi.URLParam(r, "client"), chi.URLParam(r, "id")
	checked.From = h.Proxies.Client(r)
	guessable, err := h.Payments.Guessable(r.Context(), shop, id, key)
	if err != nil {
		return err
	}
	attempt, err := h.Payments.PayCard(r.Context(), shop, id, key, checked)
	if err == nil && !guessable {
		h.Payers.Paying(w, shop, id, attempt.ID)
	}
	if err == nil && attempt.State != state.AttemptApproved {
		h.Payers.Keep(w, shop, id, session.Payer{Name: input.Name, Email: input.Email})
	}
	var soldOut *payment.SoldOutError
	var limit *payment.LimitError
	var paid *payment.PaidError
	switch {
	case errors.As(err, &limit):
		return h.refuse(w, r, input, wait(limit))
	case errors.Is(err, payment.ErrMissing):
		return h.missing(w, r)
	case errors.Is(err, payment.ErrPaused):
		return h.refuse(w, r, input, refusal("paused"))
	case errors.Is(err, payment.ErrRestored):
		return h.refuse(w, r, input, refusal("restored"))
	case errors.As(err, &soldOut), errors.As(err, &paid), errors.Is(err, payment.ErrHeld),
		errors.Is(err, payment.ErrDeclined), errors.Is(err, payment.ErrExpired):
		// The page itself shows the state: see page.
	case err != nil:
		return err
	case attempt.State == state.AttemptRedirected:
		return web.Redirect(w, r, attempt.RedirectUrl)
	case attempt.State.Refused():
		return h.showRefused(w, r, input)
	}
	return web.Redirect(w, r, address(shop, id))
}

// showRefused redirects to the page that says why a payment failed. If a form is posted again after Try Again, the page says
// that the form was used: the transaction can be paid with the new form.
func (h *Handler) showRefused(w http.ResponseWriter, r *http.Request, input payment.CardInput) error {
	t, err := h.transaction(r)
	if err != nil {
		return err
	}
	if t.Status == state.New {
		input.Expiry = "" // the card was sent
		return h.refuse(w, r, input, refusal("used"))
	}
	return web.Redirect(w, r, address(t.Shop.Code, t.ID))
}

// Retry answers POST /pos/{client}/{id}/retry: Try Again, or giving up a challenge. If neither is possible, the page shows the state.
func (h *Handler) Retry(w http.ResponseWriter, r *http.Request) error {
	shop, id := chi.URLParam(r, "client"), chi.URLParam(r, "id")
	err := h.Payments.Retry(r.Context(), shop, id)
	if errors.Is(err, payment.ErrMissing) {
		return h.missing(w, r)
	}
	if err != nil && !errors.Is(err, payment.ErrHeld) {
		return err
	}
	return web.Redirect(w, r, address(shop, id))
}
