package merchant

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/site/keys"
)

// Charge is a call to the test gateway. Its JSON names are those of the wire.
type Charge struct {
	AccountID  string `json:"accountId"`
	StoreID    string `json:"storeId"`
	DeviceID   string `json:"deviceId"`
	Currency   string `json:"currency"`
	Amount     Amount `json:"amount"`
	Reference  string `json:"reference"`
	Key        string `json:"key"`
	Cardholder string `json:"cardholder"`
	PAN        string `json:"pan"`
	Exp        string `json:"exp"`
	CVC        string `json:"cvc"`
}

// Amount is an amount as it was sent: "12.50" or 12.5.
type Amount string

// UnmarshalJSON reads a text or a number.
func (a *Amount) UnmarshalJSON(text []byte) error {
	var number json.Number
	if err := json.Unmarshal(text, &number); err == nil && text[0] != '"' {
		*a = Amount(number)
		return nil
	}
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return &json.UnmarshalTypeError{Value: "value", Type: reflect.TypeFor[Amount]()}
	}
	*a = Amount(s)
	return nil
}

// Rule says what the JSON of an amount is.
func (Amount) Rule() string { return `an amount such as "12.50", from 0.01 to 999999.99` }

// Refusal is why the test gateway did not accept a charge, worded for the developer. The code is fault.Forbidden for wrong
// credentials, fault.Invalid for an invalid request, fault.Unavailable for a card that simulates a failing gateway.
type Refusal struct {
	Code  fault.Code
	Field string // of the request
	Text  string
}

func (r *Refusal) Error() string { return r.Text }

// Unwrap makes it a coded error.
func (r *Refusal) Unwrap() error { return fault.New(r.Code, "test gateway: %s", r.Text) }

// Paid is a payment of the test gateway.
type Paid = db.TestPayment

var referenceForm = regexp.MustCompile(`^[0-9A-Za-z_.-]{1,64}$`)

// Charge makes a test payment whose key was made from the terminal secret (KEYGEN-05). Repeating a reference returns the first
// answer. Errors: ErrMissing, *Refusal.
func (m *Merchants) Charge(ctx context.Context, id uuid.UUID, c Charge) (Paid, error) {
	account, secrets, err := m.keys(ctx, id)
	if err != nil {
		return Paid{}, err
	}
	minor, err := c.authenticate(account, secrets)
	if err != nil {
		return Paid{}, err
	}
	currency := keys.Currency(c.Currency)
	switch {
	case !money.Currency(currency):
		return Paid{}, &Refusal{fault.Invalid, "currency", "currency has to be a code of three letters with two decimals, such as GBP"}
	case !referenceForm.MatchString(c.Reference):
		return Paid{}, &Refusal{fault.Invalid, "reference", "reference has to be 1 to 64 letters, digits and . - _"}
	case card.HoldsCard(c.Reference):
		return Paid{}, &Refusal{fault.Invalid, "reference", "reference looks like a card number, which must not be stored; use another one"}
	case strings.TrimSpace(c.Cardholder) == "":
		return Paid{}, &Refusal{fault.Invalid, "cardholder", "cardholder is missing"}
	case c.PAN == "":
		return Paid{}, &Refusal{fault.Invalid, "pan", "pan is missing"}
	case c.Exp == "":
		return Paid{}, &Refusal{fault.Invalid, "exp", "exp is missing"}
	}
	if _, err := card.ParseCVC(typed.Digits(c.CVC)); err != nil {
		return Paid{}, &Refusal{fault.Invalid, "cvc", "cvc has to be 3 or 4 digits"}
	}
	outcome := m.decide(c.PAN, c.Exp, time.Now())
	if outcome.Outcome == gateway.Unknown {
		return Paid{}, &Refusal{fault.Unavailable, "pan", "pan is a test card that simulates a failing gateway"}
	}
	number, _ := card.ParseNumber(typed.Digits(c.PAN)) // a wrong one was decided already and has no last four digits
	row := db.TestPaymentAddParams{
		MerchantUuid: id, Reference: c.Reference, Transactionid: "test-" + strings.ToLower(rand.Text()), AmountMinor: minor,
		Currency: currency, LastFour: number.LastFour(), Statuscode: outcome.Code, Errordesc: outcome.Description, BankNo: digits(12),
	}
	if outcome.Outcome == gateway.Approved {
		row.Code = digits(6)
	}
	if _, err := m.queries.TestPaymentAdd(ctx, row); err != nil {
		return Paid{}, err
	}
	kept, err := m.queries.TestPaymentGet(ctx, id, c.Reference)
	if err != nil {
		return Paid{}, err
	}
	if kept.AmountMinor != minor || kept.Currency != currency {
		return Paid{}, &Refusal{fault.Conflict, "reference", "this reference was used for another amount or currency; use a new one"}
	}
	return kept, nil
}

// authenticate checks the credentials, and says which common mistake explains a wrong key. It also checks the amount, which it returns in
// minor units: no key fits an invalid amount, and the developer would look for the mistake in the key.
func (c Charge) authenticate(account string, secrets []secret.Text) (minor int64, err error) {
	switch {
	case c.AccountID == "":
		return 0, &Refusal{fault.Forbidden, "accountId", "accountId is missing"}
	case !keys.Equal(c.AccountID, account):
		return 0, &Refusal{fault.Forbidden, "accountId", "accountId is not this merchant's account"}
	case c.StoreID != StoreID:
		return 0, &Refusal{fault.Forbidden, "storeId", "storeId is not a store of this account"}
	case c.DeviceID != DeviceID:
		return 0, &Refusal{fault.Forbidden, "deviceId", "deviceId is not a device of this store"}
	}
	minor, err = keys.Charged(string(c.Amount))
	if err != nil || minor == 0 {
		return 0, &Refusal{fault.Invalid, "amount", "amount has to be " + c.Amount.Rule()}
	}
	in := keys.Input{Currency: c.Currency, Amount: string(c.Amount), Reference: c.Reference}
	for _, known := range secrets {
		in.Secret = known
		if keys.Equal(c.Key, in.Key(keys.SHA256)) {
			return minor, nil
		}
	}
	in.Secret = secrets[0]
	var text []string
	for _, mistake := range keys.Diagnose(keys.SHA256, in, c.Key) {
		text = append(text, mistake.Explain())
	}
	return 0, &Refusal{fault.Forbidden, "key", "key: " + strings.Join(text, " ")}
}

// Example is a charge that works: a payment of 5.00 in the merchant's currency with the first test card.
func Example(m Merchant, key secret.Text) Charge {
	c := Charge{
		AccountID: m.MID, StoreID: StoreID, DeviceID: DeviceID, Currency: m.Currency, Amount: "5.00", Reference: "FIRST-PAYMENT",
		Cardholder: "Ada Example", PAN: "4111111111111111", Exp: "12/34", CVC: "123",
	}
	in := keys.Input{Currency: c.Currency, Amount: string(c.Amount), Reference: c.Reference, Secret: key}
	c.Key = in.Key(keys.SHA256)
	return c
}

func digits(n int64) string {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil)
	i, err := rand.Int(rand.Reader, limit)
	if err != nil {
		panic(err) // the system's source of randomness does not fail
	}
	text := i.String()
	return strings.Repeat("0", int(n)-len(text)) + text
}

// IsRefusal returns the refusal in an error's chain, nil without one.
func IsRefusal(err error) *Refusal {
	var r *Refusal
	if errors.As(err, &r) {
		return r
	}
	return nil
}

// Exists returns nil if the merchant exists. Errors: ErrMissing.
func (m *Merchants) Exists(ctx context.Context, id uuid.UUID) error {
	_, err := m.queries.MerchantGet(ctx, id)
	return found(err)
}

// Call is a call to the test gateway as the log shows it.
type Call struct {
	db.TestCallListRow        // Body is redacted; Note says why it was refused, "" if it was not
	Amount             string // "5.00 AUD"; "" if the body names none
	Reference          string // "" if the body names none
}

// Record adds a call to the merchant's log, with its body redacted, and deletes all but the last hundred.
func (m *Merchants) Record(ctx context.Context, id uuid.UUID, call Call, body []byte) error {
	err := m.queries.TestCallAdd(ctx, db.TestCallAddParams{
		MerchantUuid: id, Method: call.Method, Path: call.Path, Status: call.Status, Body: Redact(body), Note: call.Note,
	})
	if err != nil {
		return err
	}
	return m.queries.TestCallPrune(ctx, id)
}

// Calls returns the last hundred calls, newest first, for one of the merchant's admins. Errors: ErrMissing.
func (m *Merchants) Calls(ctx context.Context, account, id uuid.UUID) ([]Call, error) {
	if _, err := m.One(ctx, account, id); err != nil {
		return nil, err
	}
	rows, err := m.queries.TestCallList(ctx, id)
	list := make([]Call, len(rows))
	for i, row := range rows {
		list[i].TestCallListRow = row
		var c Charge
		if json.Unmarshal([]byte(row.Body), &c) == nil { // if it is not a charge, only its body is shown
			list[i].Amount, list[i].Reference = strings.TrimSpace(string(c.Amount)+" "+c.Currency), c.Reference
		}
	}
	return list, err
}

// Redact returns a body in the form that the log may keep: the fields of a charge, the last four digits of the card number, no
// security code, the first characters of the key. For any other body it returns only the size.
func Redact(body []byte) string {
	var c Charge
	if err := json.Unmarshal(body, &c); err != nil {
		return "not a JSON body of this call"
	}
	number, err := card.ParseNumber(typed.Digits(c.PAN))
	reference := c.Reference
	for _, field := range []*string{
		&c.AccountID, &c.StoreID, &c.DeviceID, &c.Currency, (*string)(&c.Amount), &c.Reference, &c.Cardholder, &c.Exp,
	} {
		*field = shown(*field)
	}
	if referenceForm.MatchString(reference) && !card.HoldsCard(reference) {
		c.Reference = reference // as it was charged, long numbers too
	}
	c.PAN = "************" + number.LastFour()
	if err != nil {
		c.PAN = secret.Redacted
	}
	c.CVC = secret.Redacted
	if len(c.Key) > 8 {
		c.Key = shown(c.Key[:6]) + "…"
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return ""
	}
	return string(text)
}

// shown returns a value as the log may keep it: without a card number, and short.
func shown(value string) string {
	value = strings.ToValidUTF8(strings.ReplaceAll(value, "\x00", ""), "")
	if card.MayHoldNumber(value) {
		return secret.Redacted
	}
	if runes := []rune(value); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return value
}
