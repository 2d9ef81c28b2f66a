package session

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
)

// Payer is what a payer typed into a card form except the card's number and code, which are kept nowhere.
type Payer struct {
	Name   string `json:"name"`
	Email  string `json:"email"`
	Expiry string `json:"expiry,omitempty"` // of a form that was not sent on
}

// Payers recognises the payer of each transaction by the payer's own browser. People pass a pay link on, and the next person must neither
// read who tried before nor open the receipt, which names the payer. Each cookie is for the page of one transaction only.
type Payers struct {
	https bool
	key   secret.Key
}

// NewPayers returns Payers; https reports whether the site's public address uses it, and key is a secret key of the site.
func NewPayers(https bool, key secret.Key) Payers { return Payers{https, key} }

const (
	payerFor = 2 * time.Hour        // as long as an order may stay unpaid
	paidFor  = 180 * 24 * time.Hour // people need a receipt for as long as they may dispute a bill
	// The longest name and address that are kept, in characters. Longer ones are refused anyway.
	mostPayerName, mostPayerEmail = 200, 254
)

// These are the cookies of a transaction's page: who pays, and with which attempt.
const (
	payerCookie   = "forecourt-payer"
	attemptCookie = "forecourt-attempt"
)

func (p Payers) name(cookie string) string {
	if p.https {
		return "__Secure-" + cookie
	}
	return cookie
}

// Paying notes that the browser has sent an attempt to pay a transaction.
func (p Payers) Paying(w http.ResponseWriter, shop, trx string, attempt uuid.UUID) {
	p.set(w, attemptCookie, shop, trx, p.mark(attempt), paidFor)
}

// Mark returns the browser's mark of the last attempt that it sent for the transaction of the requested page, or "" for none.
func (p Payers) Mark(r *http.Request) string {
	cookie, err := r.Cookie(p.name(attemptCookie))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Sent reports whether a browser with this mark sent an attempt; it is false for nil.
func (p Payers) Sent(mark string, attempt *uuid.UUID) bool {
	return attempt != nil && p.key.Signed(unmarked(mark), attempt[:])
}

// mark returns the MAC of an attempt's id. The id itself is no secret: the gateway knows it, and it may be in the address of the bank's
// page.
func (p Payers) mark(attempt uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString(p.key.MAC(attempt[:]))
}

// unmarked decodes a mark. It returns nil for anything else.
func unmarked(mark string) []byte {
	sum, err := base64.RawURLEncoding.Strict().DecodeString(mark)
	if err != nil {
		return nil
	}
	return sum
}

// Keep makes the browser send the payer's data to the page of one transaction, and to no other address.
func (p Payers) Keep(w http.ResponseWriter, shop, trx string, payer Payer) {
	value, _ := json.Marshal(payer.safe()) // only texts
	p.set(w, payerCookie, shop, trx, base64.RawURLEncoding.EncodeToString(value), payerFor)
}

// Forget removes what Keep kept, if the browser has it.
func (p Payers) Forget(w http.ResponseWriter, r *http.Request, shop, trx string) {
	if _, err := r.Cookie(p.name(payerCookie)); err == nil {
		p.set(w, payerCookie, shop, trx, "", -time.Second)
	}
}

// Of returns the payer of the transaction of the requested page; ok is false if the browser has none.
func (p Payers) Of(r *http.Request) (payer Payer, ok bool) {
	cookie, err := r.Cookie(p.name(payerCookie))
	if err != nil {
		return payer, false
	}
	value, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil || json.Unmarshal(value, &payer) != nil {
		return Payer{}, false
	}
	return payer.safe(), true
}

func (p Payers) set(w http.ResponseWriter, cookie, shop, trx, value string, age time.Duration) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure if the site uses https
		Name: p.name(cookie), Value: value, Path: "/pos/" + shop + "/" + trx,
		MaxAge: int(age.Seconds()), Secure: p.https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// safe leaves out a text that may be a card number or its code in the wrong field, or that no form accepts.
func (p Payer) safe() Payer {
	if !printable.Line(p.Name, mostPayerName) || card.MayHoldNumber(p.Name) {
		p.Name = ""
	}
	if !printable.Line(p.Email, mostPayerEmail) || card.MayHoldNumber(p.Email) {
		p.Email = ""
	}
	expiry, _ := typed.ParseExpiry(p.Expiry)
	p.Expiry = expiry.String() // "" for all else, which may be the code
	return p
}
