package pay

import (
	"crypto/rand"
	"net/http"
	"strings"

	"forecourt/handlers/web"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	view "forecourt/views/pay"
	"forecourt/views/props"
)

// Wallets configures Google Pay and Apple Pay on payment pages.
type Wallets struct {
	// GoogleMerchantID may be "" in the TEST environment.
	GoogleMerchantID string `name:"GOOGLEPAY_MERCHANT_ID" unset:"none" help:"merchant id registered with Google; required for live payments"`
	GoogleGateway    string `name:"GOOGLEPAY_GATEWAY" default:"example"` // Google's name for the payments gateway
	GoogleScript     string `name:"GOOGLEPAY_SCRIPT_URL" type:"web" default:"https://pay.google.com/gp/p/js/pay.js"`
	Simulated        bool   `kong:"-"` // the gateway is the built-in sandbox: test mode has simulated wallets, too
}

// googleOrigin is the origin of Google's script, as a Content-Security-Policy source.
func (c Wallets) googleOrigin() string {
	scheme, rest, _ := strings.Cut(c.GoogleScript, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// buttonStyle is the hash of the only style that the button package adds to the page without the nonce.
const buttonStyle = "'sha256-B5xZ8LazuQtFFimrw+cAaRu+Sr5JkoCAe9yjirCJR14='"

// open lets a page load what Google Pay needs: its script and sheet, the manifest of the payment app and the button's picture. Apple Pay is
// part of the browser.
func (c Wallets) open(w http.ResponseWriter, policy web.Policy, nonce string) {
	policy["script-src"] = []string{c.googleOrigin()}
	policy["style-src"] = []string{"'nonce-" + nonce + "'", buttonStyle}
	policy["frame-src"] = []string{"https://pay.google.com"}
	policy["connect-src"] = []string{"https://pay.google.com", "https://google.com"}
	policy["img-src"] = []string{"https://www.gstatic.com"}
	// The sheet may open in a new window, which has to be able to answer.
	w.Header().Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	w.Header().Set("Permissions-Policy", `camera=(), geolocation=(), microphone=(), payment=(self "https://pay.google.com")`)
}

// offerWallets gives the form its wallet buttons, but only for AUD and a merchant with a paylink key (WALLET-01). A part of a page that is
// swapped in gets none, since the policy of the page around it does not allow them.
func (h *Handler) offerWallets(r *http.Request, page *view.Page, t *payment.Transaction) {
	if page.State != view.Form || r.Header.Get("HX-Request") == "true" || !t.Paylink || t.Currency != money.DefaultCurrency {
		return
	}
	environment := "PRODUCTION"
	if t.TestMode {
		environment = "TEST"
	}
	page.Wallets = &props.Wallets{
		Shop: t.Shop.Code, Merchant: t.Shop.Name, TrxID: t.ID, PageURL: page.URL, Key: page.Card.Key,
		Amount: money.Wire(t.AmountMinor), AmountLabel: page.AmountLabel(), Currency: t.Currency,
		CountryCode: t.CountryCode, Description: t.Description,
		Ships: len(page.Lines) == 0, Simulated: t.TestMode && h.Wallets.Simulated,
		Google: props.Google{
			Script: h.Wallets.GoogleScript, Environment: environment, MerchantID: h.Wallets.GoogleMerchantID,
			Gateway: h.Wallets.GoogleGateway, Nonce: rand.Text(),
		},
	}
}

// AppleDomain answers with the file by which Apple verifies a domain. It returns nil if there is no such file.
func AppleDomain(file []byte) http.HandlerFunc {
	if file == nil {
		return nil
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write(file) // it fails only if the reader has gone
	}
}
