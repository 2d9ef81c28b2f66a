package web

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"forecourt/internal/card"
	"forecourt/internal/printable"
)

// Payer is what a payer typed beside the card. Of the card itself nothing is kept anywhere.
type Payer struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// Payers keeps the payer of each transaction in the payer's own browser between two tries to pay it: a pay link is passed around, and
// whoever opens it next must not read who tried before.
type Payers struct{ https bool }

// NewPayers returns Payers; https reports whether the site's public address uses it.
func NewPayers(https bool) Payers { return Payers{https} }

const (
	payerFor = 2 * time.Hour // as long as an order may wait to be paid
	// The longest name and address that are kept, in characters. Longer ones are refused anyway.
	mostPayerName, mostPayerEmail = 200, 254
)

func (p Payers) name() string {
	if p.https {
		return "__Secure-forecourt-payer"
	}
	return "forecourt-payer"
}

// Keep has the browser return the payer to the page of one transaction, and to no other address.
func (p Payers) Keep(w http.ResponseWriter, client, trx string, payer Payer) {
	value, _ := json.Marshal(payer.safe()) // two texts
	p.set(w, client, trx, base64.RawURLEncoding.EncodeToString(value), int(payerFor.Seconds()))
}

// Forget removes what Keep kept, if the browser has it.
func (p Payers) Forget(w http.ResponseWriter, r *http.Request, client, trx string) {
	if _, err := r.Cookie(p.name()); err == nil {
		p.set(w, client, trx, "", -1)
	}
}

// Of returns the payer of the transaction whose page is asked for; ok is false if the browser knows none.
func (p Payers) Of(r *http.Request) (payer Payer, ok bool) {
	cookie, err := r.Cookie(p.name())
	if err != nil {
		return payer, false
	}
	value, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil || json.Unmarshal(value, &payer) != nil {
		return Payer{}, false
	}
	return payer.safe(), true
}

func (p Payers) set(w http.ResponseWriter, client, trx, value string, age int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever the site is reached by https
		Name: p.name(), Value: value, Path: "/pos/" + client + "/" + trx, MaxAge: age, Secure: p.https, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// safe leaves out a text that may be a card number in the wrong field, or that no form takes.
func (p Payer) safe() Payer {
	if !printable.Line(p.Name, mostPayerName) || card.MayHoldNumber(p.Name) {
		p.Name = ""
	}
	if !printable.Line(p.Email, mostPayerEmail) || card.MayHoldNumber(p.Email) {
		p.Email = ""
	}
	return p
}
