package pay

import (
	"crypto/rand"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/card"
	"forecourt/internal/fault"
	"forecourt/internal/order"
	"forecourt/internal/payment"
	"forecourt/static"
	"forecourt/views/layout"
	view "forecourt/views/pay"
)

// ShowPayment answers GET /pos/{client}/{id} with the transaction's current state. Customers who return from the bank also
// arrive here.
func (h *Handler) ShowPayment(w http.ResponseWriter, r *http.Request) error {
	t, err := h.transaction(r)
	if errors.Is(err, payment.ErrMissing) {
		return h.missing(w, r)
	}
	if err == nil && t.Attempt.State == state.AttemptRedirected && t.Status == state.Processing {
		h.payments.Returned(r.Context(), t.Client.Code, t.ID)
		t, err = h.transaction(r)
	}
	if err != nil {
		return err
	}
	if t.Link != nil && !t.Link.Opened && byPayer(r) {
		h.payments.Opened(r.Context(), t.Client.Code, t.ID)
	}
	page := h.model(t)
	page.Card, page.Away = emptyForm(t, rand.Text()), h.payments.GatewayAway()
	h.offerWallets(r, &page, t)
	return h.render(w, r, http.StatusOK, page)
}

// byPayer reports whether a person opened a pay link, other than from its desk. Chat programs fetch a preview without navigating.
func byPayer(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Purpose") == "" && !r.URL.Query().Has("desk")
}

// PayByCard answers POST /pos/{client}/{id}: the card form where scripts are off.
func (h *Handler) PayByCard(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	for _, values := range r.PostForm {
		if len(values) > 1 {
			return fault.New(fault.Invalid, "a field of the card form is there twice")
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
		return h.showProblems(w, r, key, input, problems)
	}
	client, id := chi.URLParam(r, "client"), chi.URLParam(r, "id")
	checked.From = h.proxies.Client(r)
	attempt, err := h.payments.PayCard(r.Context(), client, id, key, checked)
	var soldOut *payment.SoldOutError
	var limit *payment.LimitError
	var paid *payment.PaidError
	switch {
	case errors.As(err, &limit):
		w.Header().Set("Retry-After", strconv.Itoa(int(limit.After.Seconds())+1))
		return h.showNotice(w, r, http.StatusTooManyRequests, view.TooMany(limit.After, limit.Checking))
	case errors.Is(err, payment.ErrMissing):
		return h.missing(w, r)
	case errors.As(err, &soldOut):
		return h.showNotice(w, r, http.StatusConflict, view.SoldOut(soldOut.Names))
	case errors.Is(err, payment.ErrPaused):
		return h.showNotice(w, r, http.StatusConflict, view.Paused)
	case errors.Is(err, payment.ErrRestored):
		return h.showNotice(w, r, http.StatusServiceUnavailable, view.Restored)
	case errors.As(err, &paid), errors.Is(err, payment.ErrHeld), errors.Is(err, payment.ErrDeclined), errors.Is(err, payment.ErrExpired):
		// The page itself tells what is.
	case err != nil:
		return err
	case attempt.State == state.AttemptRedirected:
		return web.Redirect(w, r, attempt.RedirectUrl)
	case attempt.State.Refused():
		return h.showRefused(w, r)
	}
	return web.Redirect(w, r, address(client, id))
}

// showRefused redirects to the page that says why a payment failed. If a form is posted again after Try Again, the page says
// that the form was used: the transaction can be paid with the new form.
func (h *Handler) showRefused(w http.ResponseWriter, r *http.Request) error {
	t, err := h.transaction(r)
	if err != nil {
		return err
	}
	if t.Status == state.New {
		return h.showNotice(w, r, http.StatusConflict, view.UsedForm)
	}
	return web.Redirect(w, r, address(t.Client.Code, t.ID))
}

// Retry answers POST /pos/{client}/{id}/retry: Try Again, or a challenge given up. Where neither is possible the page
// says what is.
func (h *Handler) Retry(w http.ResponseWriter, r *http.Request) error {
	client, id := chi.URLParam(r, "client"), chi.URLParam(r, "id")
	err := h.payments.Retry(r.Context(), client, id)
	if errors.Is(err, payment.ErrMissing) {
		return h.missing(w, r)
	}
	if err != nil && !errors.Is(err, payment.ErrHeld) {
		return err
	}
	return web.Redirect(w, r, address(client, id))
}

// showProblems shows the form again with what is wrong, as long as the transaction can be paid at all.
func (h *Handler) showProblems(w http.ResponseWriter, r *http.Request, key string, input payment.CardInput, problems payment.Problems) error {
	t, err := h.transaction(r)
	if errors.Is(err, payment.ErrMissing) {
		return h.missing(w, r)
	}
	if err != nil {
		return err
	}
	page := h.model(t)
	page.Card = filledForm(t, key, input, problems)
	page.Problems, page.Away = page.Card.Summary(), h.payments.GatewayAway()
	h.offerWallets(r, &page, t)
	return h.render(w, r, http.StatusUnprocessableEntity, page)
}

// showNotice shows the form again with the reason why it led nowhere.
func (h *Handler) showNotice(w http.ResponseWriter, r *http.Request, status int, notice string) error {
	t, err := h.transaction(r)
	if err != nil {
		return err
	}
	page := h.model(t)
	page.Card = emptyForm(t, rand.Text())
	page.Notice = notice
	h.offerWallets(r, &page, t)
	return h.render(w, r, status, page)
}

func address(client, id string) string { return "/pos/" + client + "/" + id }

// render answers with a payment page. A form may lead on to the bank's page.
func (h *Handler) render(w http.ResponseWriter, r *http.Request, status int, p view.Page) error {
	policy := web.Policy{"form-action": h.redirects}
	p.Scripts = static.Scripts("pay.js")
	if p.Wallets != nil {
		p.Scripts[h.wallets.GoogleScript] = ""
		h.wallets.open(w, policy, p.Wallets.Google.Nonce)
	}
	web.AllowAll(w, policy)
	return web.Render(w, r, status, view.PaymentPage(p), view.Payment)
}

// missing answers for an unknown reference, in the merchant's colours if there is a merchant. Another client's id is
// unknown, too.
func (h *Handler) missing(w http.ResponseWriter, r *http.Request) error {
	m := view.Missing{TrxID: chi.URLParam(r, "id"), Frame: layout.Customer{Title: "No such transaction"}}
	menu, err := h.menus.Menu(r.Context(), chi.URLParam(r, "client"))
	if err == nil {
		m.Frame = web.CustomerFrame("No such transaction", menu.Client, "")
	} else if fault.CodeOf(err) != fault.NotFound {
		return err
	}
	return web.Render(w, r, http.StatusNotFound, view.MissingPage(m))
}
