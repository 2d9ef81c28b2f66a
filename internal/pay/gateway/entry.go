package gateway

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/db/state"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
)

// Entry is a line of the gateway's ledger: a movement of money, or a payment that may become one.
type Entry struct {
	Gateway       string // Client.ID of the gateway
	Kind          Kind
	Reference     string // in lower case; of a dispute that of its charge; of a payout its id, as the gateway writes it
	TrxID         string
	TransactionID string
	MerchantID    string
	TestMode      *bool         // nil only if the entry is odd
	Amount        int64         // minor units; what a payout pays, which may be negative
	Currency      string        // in upper case
	State         state.Dispute // of a dispute, else ""
	Due           *time.Time    // the deadline for answering a dispute, or nil if the gateway gives none
	Arrivals      int           // how often the reference arrived
	At            time.Time     // zero only if the entry is odd
	// Gross and Fees are those of a payout, of which Amount is the difference. References names the charges, refunds and disputes in it; a
	// dispute has the reference of its charge.
	Gross, Fees int64
	References  []string
	Odd         string // what is wrong with the entry itself, or ""; the amount is 0 if it is not readable
}

// ID identifies an entry: two with the same id are the same, wherever and however often the ledger lists them. What may change of an entry
// does not count: its arrivals and its deadline.
func (e Entry) ID() uuid.UUID {
	mode := ""
	if e.TestMode != nil {
		mode = strconv.FormatBool(*e.TestMode)
	}
	text, _ := json.Marshal([]any{ // of strings and numbers alone
		e.Gateway, e.Kind, e.Reference, e.TrxID, e.TransactionID, e.MerchantID, mode, e.Amount, e.Currency, e.State,
		e.At.UnixMicro(), e.Gross, e.Fees, e.References, e.Odd,
	})
	return uuid.NewHash(sha256.New(), uuid.Nil, text, 8)
}

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

// entry reads a line of the ledger of the gateway with an id, and says what is odd about one that lacks something: that must not keep the
// others from being read.
func (e entryWire) entry(gateway string) Entry {
	read := Entry{
		Gateway: gateway, Kind: e.Kind, Reference: e.Reference.reference(), TrxID: e.TrxID.line(), TransactionID: e.TransactionID.line(),
		MerchantID: e.MerchantID.line(), TestMode: (*bool)(e.TestMode), Currency: strings.ToUpper(redacted(string(e.Currency))),
		Arrivals: e.Arrivals, At: e.At.Truncate(time.Microsecond), // as the database keeps it
	}
	var err error
	switch e.Kind {
	case KindPayout:
		read.Reference = e.ID.line()
		for minor, text := range map[*int64]Text{&read.Gross: e.Gross, &read.Fees: e.Fees, &read.Amount: e.Net} {
			var unreadable error
			*minor, unreadable = money.ParseTotal(string(text))
			err = errors.Join(err, unreadable)
		}
		for _, reference := range e.References {
			read.References = append(read.References, reference.reference())
		}
	case KindDispute:
		read.State, read.Due = state.Dispute(strings.ToLower(redacted(string(e.State)))), e.Due
		fallthrough
	default:
		read.Amount, err = money.Parse(string(e.Amount))
	}
	read.Odd = e.odd(read, err)
	return read
}

// odd says what is wrong with an entry. amount is why an amount of it is not readable.
func (e entryWire) odd(read Entry, amount error) string {
	switch {
	case e.broken:
		return "it is not readable"
	case read.Reference == "" && e.Kind == KindPayout:
		return "it has no id"
	case read.Reference == "":
		return "it has no reference"
	case read.MerchantID == "":
		return "it names no merchant"
	case read.TestMode == nil:
		return "it does not say whether it is a test"
	case amount != nil:
		return "its amount is not readable"
	case read.Amount == 0 && (e.Kind == KindCapture || e.Kind == KindRefund):
		return "it moves no money"
	case read.Currency == "":
		return "it names no currency"
	case e.At.IsZero():
		return "it has no time"
	case e.Kind == KindDispute && !read.State.Known():
		return "it is neither opened nor won nor lost"
	}
	return ""
}

// reference returns a reference as ours are written, in whatever form the gateway writes it.
func (t Text) reference() string {
	text := strings.ToLower(t.line())
	if id, err := uuid.Parse(text); err == nil {
		return id.String()
	}
	return text
}

// line returns a serial number that can be stored and printed.
func (t Text) line() string { return typed.OneLine(string(t), maxText) }

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
