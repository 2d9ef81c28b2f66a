package merchant

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/secret"
)

// Call is a call to the test gateway as the log shows it.
type Call struct {
	At           time.Time
	Method, Path string
	Status       int
	Body         string // redacted
	Note         string // why it was refused; "" when it was not
	Amount       string // "5.00 AUD"; "" if the body names none
	Reference    string // "" if the body names none
}

// Record adds a call to the merchant's log, with its body redacted, and deletes all but the last hundred.
func (m *Merchants) Record(ctx context.Context, id uuid.UUID, call Call, body []byte) error {
	err := m.queries.TestCallAdd(ctx, db.TestCallAddParams{
		MerchantUuid: id, Method: call.Method, Path: call.Path, Status: int32(call.Status), //nolint:gosec // an HTTP status
		Body: Redact(body), Note: call.Note,
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
		list[i] = Call{At: row.At, Method: row.Method, Path: row.Path, Status: int(row.Status), Body: row.Body, Note: row.Note}
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
	number, err := card.ParseNumber(c.PAN)
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
