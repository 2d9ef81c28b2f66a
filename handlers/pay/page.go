package pay

import (
	"crypto/rand"
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/payment"
	view "forecourt/views/pay"
	"forecourt/views/ui"
)

// ShowPayment answers GET /pos/{client}/{id} with the transaction's current state. Customers who return from the bank also
// arrive here.
func (h *Handler) ShowPayment(w http.ResponseWriter, r *http.Request) error {
	t, err := h.transaction(r)
	if errors.Is(err, payment.ErrMissing) {
		return h.missing(w, r)
	}
	if err == nil && t.AttemptState == state.AttemptRedirected && t.Status == state.Processing {
		h.Payments.Returned(r.Context(), t.Shop.Code, t.ID)
		t, err = h.transaction(r)
	}
	if err != nil {
		return err
	}
	if t.IsLink() && !t.Opened && byPayer(r) {
		h.Payments.Opened(r.Context(), t.Shop.Code, t.ID)
	}
	h.Payments.Shown(r.Context(), t)
	page, err := h.page(r.Context(), t, h.reader(r))
	if err != nil {
		return err
	}
	page.Card, page.Away = emptyForm(t, rand.Text()), h.Payments.GatewayAway()
	if page.State == view.Form {
		h.refill(r, &page)
	} else if t.PaidAt != nil {
		h.Payers.Forget(w, r, t.Shop.Code, t.ID)
	}
	h.offerWallets(r, &page, t)
	return h.render(w, r, http.StatusOK, page)
}

// byPayer reports whether a person opened a pay link, and not from the desk. Chat programs fetch a preview without navigating.
func byPayer(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Purpose") == "" && !r.URL.Query().Has("desk")
}

func address(shop, id string) string { return "/pos/" + shop + "/" + id }

// render answers with a payment page. A form may lead on to the bank's page.
func (h *Handler) render(w http.ResponseWriter, r *http.Request, status int, p view.Page) error {
	policy := web.Policy{"form-action": h.RedirectSources}
	p.Frame.Listed = h.listed
	if p.EventsURL != "" {
		web.Soon(&p.Frame, "watch.js")
	}
	if p.Wallets != nil {
		p.Frame.Listed = h.listedWithWallets
		h.Wallets.open(w, policy, p.Wallets.Google.Nonce)
	}
	web.AllowAll(w, policy)
	return web.Render(w, r, status, view.PaymentPage(p), view.Payment)
}

// missing answers for an unknown reference, in the merchant's colours if there is one. Another shop's id is unknown, too.
func (h *Handler) missing(w http.ResponseWriter, r *http.Request) error {
	m := view.Missing{TrxID: chi.URLParam(r, "id"), Frame: ui.Customer{Title: "No such transaction"}}
	menu, err := h.Menus.Menu(r.Context(), chi.URLParam(r, "client"))
	if err == nil {
		m.Frame = web.CustomerFrame("No such transaction", menu.Shop, "")
	} else if fault.CodeOf(err) != fault.NotFound {
		return err
	}
	return web.Render(w, r, http.StatusNotFound, view.MissingPage(m))
}
