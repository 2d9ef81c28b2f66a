package payment

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/gateway"
)

// ErrNoWallet means that no wallet can pay the transaction: it is not in AUD, or its merchant has no paylink key (WALLET-01).
var ErrNoWallet = fault.New(fault.Conflict, "the transaction is not offered to wallets")

// WalletInput is the data that a wallet gave to the payer's browser.
type WalletInput struct {
	Wallet               state.Method // GooglePay or ApplePay
	Email                string
	Token, Type, Details secret.JSON // as in gateway.WalletPayment
	ShippingAddress      secret.JSON
}

// Wallet is a checked WalletInput. It lives in memory for one call to the gateway.
type Wallet struct {
	WalletInput
	From netip.Addr // of the payer's request, for the limits; may be zero
}

// Check reads the input. If it returns a problem, by the name of the field in the wallet's payload, the input must not be used.
func (in WalletInput) Check() (Wallet, fault.Problems) {
	in.Email = typed.Text(in.Email)
	switch {
	case in.Wallet != state.GooglePay && in.Wallet != state.ApplePay:
		return Wallet{}, fault.Problems{"wallet": "The wallet has to be gpay or apple."}
	case !filled(in.Token) && in.Wallet == state.ApplePay:
		return Wallet{}, fault.Problems{"paymentData": nothingSent}
	case !filled(in.Token):
		return Wallet{}, fault.Problems{"token": nothingSent}
	case in.Email != "" && !typed.IsEmail(in.Email):
		return Wallet{}, fault.Problems{"email": "Please enter a valid email address."}
	case !in.ShippingAddress.IsZero() && !strings.HasPrefix(in.ShippingAddress.Reveal(), "{"):
		return Wallet{}, fault.Problems{"shippingAddress": "The shipping address is not valid."}
	}
	return Wallet{WalletInput: in}, nil
}

const nothingSent = "The wallet sent nothing to pay with. Nothing was charged."

// filled reports whether a token is a non-empty string or object.
func filled(token secret.JSON) bool {
	raw := token.Reveal()
	return len(raw) > 2 && (raw[0] == '"' || raw[0] == '{')
}

// PayWallet pays a transaction by wallet as PayCard does by card. The transaction is charged once, whichever comes first. Errors: those of
// PayCard and ErrNoWallet.
func (p *Payments) PayWallet(ctx context.Context, shop, id, key string, w Wallet) (db.Attempt, error) {
	account, err := p.queries.TransactionWallet(ctx, id, shop)
	if errors.Is(err, pgx.ErrNoRows) {
		return db.Attempt{}, p.explainNoWallet(ctx, shop, id)
	}
	if err != nil {
		return db.Attempt{}, err
	}
	brand, lastFour := w.behind()
	return p.pay(ctx, card.Number{}, w.From, db.AttemptClaimParams{
		TransactionID: id, ShopCode: shop, FormKey: key, Method: w.Wallet, PayerEmail: w.Email,
		CardBrand: brand, CardLastFour: lastFour,
	}, func(ctx context.Context, attempt uuid.UUID, claimed db.AttemptClaimRow) gateway.Answer {
		return p.gateway.PayWallet(ctx, gateway.WalletPayment{
			Want: want(shop, attempt, claimed), Method: w.Wallet, TrxID: id, Description: account.Description, PublicKey: account.PaylinkMid,
			Email: w.Email, ReturnURL: p.cfg.ReturnURL(shop, id),
			Token: w.Token, Type: w.Type, Details: w.Details, ShippingAddress: w.ShippingAddress,
		})
	})
}

func (p *Payments) explainNoWallet(ctx context.Context, shop, id string) error {
	_, err := p.queries.TransactionGet(ctx, id, shop)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrMissing
	case err != nil:
		return err
	}
	return ErrNoWallet
}

// lastDigits matches what a wallet may say about a card's number.
var lastDigits = regexp.MustCompile(`(?:^|[^0-9])([0-9]{4})$`)

// behind returns the brand and the last four digits of the card behind the wallet, for the receipt. Either may be empty: the gateway does
// not need them, so behind leaves out whatever it does not understand.
func (w Wallet) behind() (brand, lastFour string) {
	var details struct {
		CardNetwork string `json:"cardNetwork"` // Google
		CardDetails string `json:"cardDetails"`
		Network     string `json:"network"` // Apple
		DisplayName string `json:"displayName"`
	}
	if json.Unmarshal(w.Details.RevealJSON(), &details) != nil {
		return "", ""
	}
	if digits := lastDigits.FindStringSubmatch(details.CardDetails + details.DisplayName); digits != nil {
		lastFour = digits[1]
	}
	return card.BrandOfNetwork(details.CardNetwork + details.Network), lastFour
}
