package gateway

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
)

// entryWire is an entry of the ledger, of any kind.
type entryWire struct {
	Kind                                          Kind
	Reference, TrxID, TransactionID, MerchantID   Text
	Amount, Currency, State, ID, Gross, Fees, Net Text
	TestMode                                      *flag
	Arrivals                                      int
	At                                            time.Time
	Due                                           *time.Time
	References                                    []Text
	broken                                        bool // a field is not what it should be
}

// oddAmount is what is wrong with an entry whose amount is negative, or has a third decimal, or is missing.
const oddAmount = "its amount is not readable"

// movement returns the entry. One that is odd must not keep the others from being read.
func (e entryWire) movement() Entry {
	read := Entry{
		Kind: e.Kind, Reference: e.Reference.reference(), TrxID: e.TrxID.line(), TransactionID: e.TransactionID.line(),
		MerchantID: e.MerchantID.line(), TestMode: (*bool)(e.TestMode),
		Currency: strings.ToUpper(e.Currency.line()), Arrivals: e.Arrivals, At: e.At,
	}
	var err error
	if read.Amount, err = money.Parse(string(e.Amount)); err != nil {
		read.Odd = oddAmount
	}
	if e.broken {
		read.Odd = "it is not readable"
	}
	return read
}

// reference returns a reference as ours are written, in whatever form the gateway writes it.
func (t Text) reference() string {
	text := strings.ToLower(t.line())
	if id, err := uuid.Parse(text); err == nil {
		return id.String()
	}
	return text
}

// line returns a text that can be stored and printed.
func (t Text) line() string { return printable.MakeLine(string(t), maxText) }

// flag is a bool that also parses from "true", 1 and "1" and their opposites.
type flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag) UnmarshalJSON(raw []byte) error {
	switch strings.ToLower(strings.Trim(string(raw), `"`)) {
	case "true", "1":
		*f = true
	case "false", "0":
		*f = false
	default:
		return errors.New("neither true nor false")
	}
	return nil
}

// readEntry reads an entry. Of one with a field that is not what it should be, readEntry reads what says what it is about.
func readEntry(raw json.RawMessage) entryWire {
	var e entryWire
	if json.Unmarshal(raw, &e) == nil {
		return e
	}
	e = entryWire{broken: true}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // nothing is known of an entry that is not an object
	var kind Text
	names := map[string]*Text{
		"kind": &kind, "reference": &e.Reference, "trxid": &e.TrxID, "transactionid": &e.TransactionID, "id": &e.ID, "state": &e.State,
	}
	for name, value := range fields {
		if into := names[strings.ToLower(name)]; into != nil && json.Unmarshal(value, into) != nil {
			*into = ""
		}
		if strings.EqualFold(name, "at") && json.Unmarshal(value, &e.At) != nil {
			e.At = time.Time{}
		}
	}
	e.Kind = Kind(kind)
	return e
}
