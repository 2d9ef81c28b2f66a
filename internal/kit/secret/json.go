package secret

import "encoding/json"

// JSON is a secret JSON value of any shape, exactly as it was sent: a wallet's token, a payer's address. The zero value and null mean that
// there is none.
type JSON struct{ Text }

// UnmarshalJSON keeps the value as it is.
func (j *JSON) UnmarshalJSON(raw []byte) error {
	*j = JSON{}
	if string(raw) != "null" {
		j.Text = New(string(raw))
	}
	return nil
}

// RevealJSON returns the value for a body that has to carry it, null for none.
func (j JSON) RevealJSON() json.RawMessage {
	if j.IsZero() {
		return json.RawMessage("null")
	}
	return json.RawMessage(j.Reveal())
}
