package api

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/run/throttle"
)

// walletRequest is a wallet payment. It ignores what a caller sends that the transaction has (amount, currency, description) or the server
// gets itself (transaction key, paylink key).
type walletRequest struct {
	Wallet          state.Method `json:"wallet"`
	MerchantID      string       `json:"merchantId"` // Apple's payload calls it merchantid, which reads alike
	OtgMerchant     string       `json:"otgMerchant"`
	TransID         string       `json:"transid"`
	TRef            string       `json:"tRef"`
	Email           string       `json:"email"`
	ShippingAddress secret.JSON  `json:"shippingAddress"`

	Token secret.JSON `json:"token"` // Google Pay
	Type  secret.JSON `json:"type"`
	Info  secret.JSON `json:"info"`

	PaymentData   secret.JSON `json:"paymentData"` // Apple Pay
	PaymentMethod secret.JSON `json:"paymentMethod"`

	TryAgain bool `json:"tryAgain"` // as in payRequest
}

func (r walletRequest) input() payment.WalletInput {
	in := payment.WalletInput{
		Wallet: r.Wallet, Email: r.Email, Token: r.Token, Type: r.Type, Details: r.Info, ShippingAddress: r.ShippingAddress,
	}
	if r.Wallet == state.ApplePay {
		in.Token, in.Type, in.Details = r.PaymentData, secret.JSON{}, r.PaymentMethod
	}
	return in
}

// PayByWallet answers POST /api/wallet: 200 with the wallet response for approved and declined, 202 while the outcome is unknown.
func (h *Handler) PayByWallet(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadJSON[walletRequest](r)
	if err != nil {
		return err
	}
	a := asked{
		shop: cmp.Or(body.MerchantID, body.OtgMerchant), trx: cmp.Or(body.TransID, body.TRef), trxName: "transid", again: body.TryAgain,
		shape: walletResponseOf,
	}
	checked, problems := body.input().Check()
	for field, text := range problems {
		a.refuse = func() error { return &web.APIError{Err: problems, Text: text, Field: field} }
	}
	checked.From = h.Proxies.Client(r)
	a.pay = func(key string) (db.Attempt, error) {
		return h.Payments.PayWallet(r.Context(), a.shop, a.trx, key, checked)
	}
	return h.answerPayment(w, r, a)
}

// sessionRequest is the request that Apple's payment sheet makes through the browser.
type sessionRequest struct {
	ValidationURL string `json:"validationURL"`
	MerchantID    string `json:"merchantId"`
	Currency      string `json:"currency"`
}

// StartSession answers POST /api/wallet/session with an Apple Pay merchant session.
func (h *Handler) StartSession(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadJSON[sessionRequest](r)
	if err != nil {
		return err
	}
	if body.MerchantID == "" {
		return web.Missing("merchantId")
	}
	name, err := h.Queries.ShopWallet(r.Context(), body.MerchantID)
	if errors.Is(err, pgx.ErrNoRows) {
		return &web.APIError{
			Err: fault.New(fault.NotFound, "no wallets"), Text: "merchantId is not a business with wallet payments.", Field: "merchantId",
		}
	}
	if err != nil {
		return err
	}
	if body.Currency != "" && body.Currency != money.DefaultCurrency {
		return web.Wrong("currency", "has to be "+money.DefaultCurrency+", the only one that wallets pay in")
	}
	// Each session takes a call to the gateway and one to Apple.
	err = h.Limits.Take(r.Context(), h.sessions, body.MerchantID+" "+throttle.Network(h.Proxies.Client(r)).String())
	if err != nil {
		return err
	}
	session, err := h.Apple.Start(r.Context(), gateway.SessionRequest{
		ValidationURL: body.ValidationURL, Shop: body.MerchantID, Name: name, Currency: money.DefaultCurrency,
	})
	if errors.Is(err, gateway.ErrNotApple) {
		return &web.APIError{Err: err, Text: "validationURL is not an address of Apple.", Field: "validationURL"}
	}
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, session)
}

// walletResponse is the specification's wallet response (WALLET-13).
type walletResponse struct {
	Status struct {
		StatusCode string `json:"statuscode"`
		ErrorDesc  string `json:"errordesc"`
	} `json:"status"`
	TransactionID string           `json:"transactionid"`
	Code          string           `json:"code"`
	Redirect      gateway.Text     `json:"redirect"`
	AuthResponse  gateway.CardAuth `json:"authresponse"`
}

// walletResponseOf is made from what is stored, so that asking again gets the same answer.
func walletResponseOf(a db.Attempt) any {
	var res walletResponse
	res.Status.StatusCode, res.Status.ErrorDesc = "0", a.ErrorMsg
	if a.State != state.AttemptApproved {
		res.Status.StatusCode = "1"
	}
	res.TransactionID, res.Code, res.AuthResponse = *cmp.Or(a.Transactionid, new(string)), a.Code, authOf(a)
	res.Redirect = onward(a)
	return res
}
