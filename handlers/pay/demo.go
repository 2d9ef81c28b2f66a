package pay

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	"forecourt/views/props"
)

// These make up the demo transaction (PAY-02, PAY-03), which is neither stored nor sent to a gateway.
const (
	demoID     = "demo"
	demoAmount = 100052
	demoDelay  = 2 * time.Second // PAY-46
)

// ShowDemo answers GET /pos/{client}/demo. ?result= is the status that paying leads to, "success" by default; ?paid=1 shows it.
func (h *Handler) ShowDemo(w http.ResponseWriter, r *http.Request) error {
	menu, err := h.Menus.Menu(r.Context(), chi.URLParam(r, "client"))
	if fault.CodeOf(err) == fault.NotFound {
		return h.missing(w, r)
	}
	if err != nil {
		return err
	}
	shop := menu.Shop
	query := r.URL.Query()
	demo := demoTransaction(shop, query)
	page := h.model(demo)
	page.Frame.Refresh, page.PollSeconds, page.NextURL, page.EventsURL = 0, 0, "", ""
	page.Push = nil
	page.URL = demoURL(shop.Code, query, false)
	page.RetryURL = "/pos/" + shop.Code + "/demo/retry?" + url.Values{"result": query["result"]}.Encode()
	page.MenuURL = web.MenuURL(shop.Code, "", "")
	page.Card = emptyForm(demo, "demo")
	page.Card.Props.Demo, page.Card.Props.DemoDelay = true, int(demoDelay.Milliseconds())
	page.Card.Props.PageURL, page.Card.Props.DemoURL = page.URL, demoURL(shop.Code, query, true)
	page.WalletDemo = &props.WalletDemo{
		Merchant: shop.Name, AmountLabel: page.AmountLabel(), DemoURL: page.Card.Props.DemoURL, DemoDelay: page.Card.Props.DemoDelay,
	}
	return h.render(w, r, http.StatusOK, page)
}

// PayDemo answers POST /pos/{client}/demo: after a while the page shows the result.
func (h *Handler) PayDemo(w http.ResponseWriter, r *http.Request) error {
	select {
	case <-time.After(demoDelay):
	case <-r.Context().Done():
	}
	return web.Redirect(w, r, demoURL(chi.URLParam(r, "client"), r.URL.Query(), true))
}

// RetryDemo answers POST /pos/{client}/demo/retry.
func (h *Handler) RetryDemo(w http.ResponseWriter, r *http.Request) error {
	return web.Redirect(w, r, demoURL(chi.URLParam(r, "client"), r.URL.Query(), false))
}

func demoTransaction(shop brand.Shop, query url.Values) *payment.Transaction {
	now := time.Now()
	shop.Live = false // this is never a real payment, even if the merchant is live
	t := &payment.Transaction{Shop: shop, Transaction: db.Transaction{
		ID: demoID, Status: state.New, AmountMinor: demoAmount, Currency: money.DefaultCurrency, CountryCode: "AU",
		TestMode: true, Description: "Demo payment",
	}}
	t.Now = now
	if query.Get("paid") != "" {
		t.PaidAt = &now
		t.Status = state.Transaction(cmp.Or(text(query.Get("result")), string(state.Success)))
	}
	return t
}

// text returns a made-up status as a short, valid text.
func text(s string) string {
	if len(s) > 32 {
		s = s[:32]
	}
	return strings.ToValidUTF8(s, "")
}

func demoURL(shop string, query url.Values, paid bool) string {
	next := url.Values{}
	if result := query.Get("result"); result != "" {
		next.Set("result", result)
	}
	if paid {
		next.Set("paid", "1")
	}
	address := "/pos/" + url.PathEscape(shop) + "/demo"
	if len(next) > 0 {
		address += "?" + next.Encode()
	}
	return address
}
