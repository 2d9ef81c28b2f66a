package api

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/run/throttle"
	view "forecourt/views/pay"
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

func (r walletRequest) client() string { return cmp.Or(r.MerchantID, r.OtgMerchant) }
func (r walletRequest) trx() string    { return cmp.Or(r.TransID, r.TRef) }

func (r walletRequest) input() payment.WalletInput {
	in := payment.WalletInput{
		Wallet: r.Wallet, Email: r.Email, Token: r.Token, Type: r.Type, Details: r.Info, ShippingAddress: r.ShippingAddress,
	}
	if r.Wallet == state.ApplePay {
		in.Token, in.Type, in.Details = r.PaymentData, secret.JSON{}, r.PaymentMethod
	}
	return in
}

// field returns the request's name for the field that has a problem.
func (r walletRequest) field(problem card.WalletProblem) string {
	switch problem {
	case card.WalletEmail:
		return "email"
	case card.WalletAddress:
		return "shippingAddress"
	case card.WalletEmpty:
		if r.Wallet == state.ApplePay {
			return "paymentData"
		}
		return "token"
	default:
		return "wallet"
	}
}

// PayByWallet answers POST /api/wallet: 200 with the wallet response for approved and declined, 202 while the outcome is unknown.
func (h *Handler) PayByWallet(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadJSON[walletRequest](r)
	if err != nil {
		return err
	}
	key, err := paymentKey(r)
	if err != nil {
		return err
	}
	if err := named(body.client(), "merchantId", body.trx(), "transid"); err != nil {
		return err
	}
	checked, problem := body.input().Check()
	if problem != "" {
		// As with cards, the key alone says that it is the same payment.
		before, found, err := h.payments.Before(r.Context(), body.client(), body.trx(), key)
		if err != nil {
			return err
		}
		if !found {
			return &web.APIError{
				Err: fault.New(fault.Invalid, "wallet: %s", problem), Text: view.WalletProblemText(problem), Field: body.field(problem),
			}
		}
		return writeAttempt(w, before, walletResponseOf)
	}
	checked.From = h.proxies.Client(r)
	attempt, err := h.pay(r.Context(), body.client(), body.trx(), body.TryAgain, func() (db.Attempt, error) {
		return h.payments.PayWallet(r.Context(), body.client(), body.trx(), key, checked)
	})
	if err != nil {
		return refusePayment(w, err)
	}
	h.payers.Paying(w, body.client(), body.trx(), attempt.ID)
	return writeAttempt(w, attempt, walletResponseOf)
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
	if err := named(body.MerchantID, "merchantId"); err != nil {
		return err
	}
	name, err := h.queries.ShopWallet(r.Context(), body.MerchantID)
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
	err = h.limits.Take(r.Context(), h.sessions, body.MerchantID+" "+throttle.Network(h.proxies.Client(r)).String())
	if err != nil {
		return err
	}
	session, err := h.apple.Start(r.Context(), gateway.SessionRequest{
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
	TransactionID string       `json:"transactionid"`
	Code          string       `json:"code"`
	Redirect      string       `json:"redirect"`
	AuthResponse  authResponse `json:"authresponse"`
}

// walletResponseOf is made from what is stored, so that asking again gets the same answer.
func walletResponseOf(a db.Attempt) walletResponse {
	var res walletResponse
	res.Status.StatusCode, res.Status.ErrorDesc = "0", a.ErrorMsg
	if a.State != state.AttemptApproved {
		res.Status.StatusCode = "1"
	}
	if a.Transactionid != nil {
		res.TransactionID = *a.Transactionid
	}
	res.Code = a.Code
	res.AuthResponse = authResponse{a.BankTransactionNo, a.GatewayReference}
	return res
}
