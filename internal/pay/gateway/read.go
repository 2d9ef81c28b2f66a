package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
)

// answerWire is a card response or a wallet response, which has its numbers in other fields, with the fields that may accompany either.
type answerWire struct {
	CardResponse
	AuthResponse CardAuth `json:"authresponse"`
	Amount       Text     `json:"amount"`
	Currency     Text     `json:"currency"`
	Reference    Text     `json:"reference"`
	State        Text     `json:"state"`
}

var (
	errUnreadable  = errors.New("gateway's answer is not readable as a card response")
	errPending     = errors.New("gateway has not decided yet")
	errNotCharged  = errors.New("gateway did not charge and refuses the reference")
	errNeverCame   = errors.New("gateway has never seen the reference")
	errNoStatus    = errors.New("gateway's answer has no response type or no status code")
	errNotInTable  = errors.New("gateway's response type and status code are not a pair of the wire format")
	errBadRedirect = errors.New("gateway asks for 3-D Secure at an address that cannot be used")
)

// ReadAnswer reads the answer to a payment by the rules of the wire format: only HTTP 200 with a pair in its table approves or
// declines. Anything that is not understood is Unknown, never a decline.
func ReadAnswer(status int, body []byte, want Want) Answer {
	switch status {
	case http.StatusOK:
		return readOK(body, want)
	case http.StatusAccepted:
		return Answer{Outcome: Pending, Err: errPending}
	case http.StatusGone:
		return readGone(body, want)
	default:
		return Answer{Outcome: Unknown, Err: fmt.Errorf("gateway answered with HTTP %d", status)}
	}
}

// readLook also understands a reference that never arrived, and a resolved one that was not charged.
func readLook(status int, body []byte, want Want) Answer {
	if status == http.StatusNotFound {
		return Answer{Outcome: NeverArrived, Err: errNeverCame}
	}
	return readResolve(status, body, want)
}

// readResolve also understands {"state":"not_charged"}.
func readResolve(status int, body []byte, want Want) Answer {
	if status == http.StatusOK {
		var w answerWire
		if err := json.Unmarshal(body, &w); err == nil && w.State == "not_charged" && w.Status == (CardStatus{}) {
			return readGone(body, want)
		}
	}
	return ReadAnswer(status, body, want)
}

func readOK(body []byte, want Want) Answer {
	var w answerWire
	// The library's error may quote parts of the answer, so it stays out of ours.
	if err := json.Unmarshal(body, &w); err != nil {
		return Answer{Outcome: Unknown, Err: errUnreadable}
	}
	if want.Wallet {
		w.Billing.AuthResponse = w.AuthResponse
	}
	a := describe(w.CardResponse)
	a.Outcome, a.Err = outcome(w, a.Redirect, want.Wallet)
	if err := otherReference(w, want); err != nil {
		return aboutAnother(a.Outcome, err)
	}
	a.Charged = a.Outcome == Approved
	if minor, err := money.Parse(string(w.Amount)); err == nil && minor > 0 {
		a.Amount = minor
	} else if a.Charged {
		a.Named = typed.OneLine(redacted(string(w.Amount)), maxNamed)
	}
	if currency := strings.ToUpper(string(w.Currency)); isCurrency.MatchString(currency) {
		a.Currency = currency
	}
	// The amount of a decline does not matter, since nothing was charged.
	if a.Outcome == Approved || a.Outcome == Redirected {
		if err := mismatch(w, want); err != nil {
			a.Outcome, a.Err = Mismatch, err
		}
	}
	return a
}

// aboutAnother returns the answer if the gateway described another payment. It leaves out the description, because no approval, transaction
// id or amount in it belongs to this payment.
func aboutAnother(described Outcome, err error) Answer {
	if described == Approved || described == Redirected {
		return Answer{Outcome: Mismatch, Err: err}
	}
	return Answer{Outcome: Unknown, Err: err}
}

func readGone(body []byte, want Want) Answer {
	var w answerWire
	if err := json.Unmarshal(body, &w); err == nil {
		if err := mismatch(w, want); err != nil {
			return Answer{Outcome: Mismatch, Err: err}
		}
	}
	return Answer{Outcome: NotCharged, Err: errNotCharged}
}

// outcome reads the status by the wire format's table: the pairs in it are final. Every other pair is Unknown, since an answer that
// is not understood may belong to a charge. redirect is empty if it cannot be given to a browser. A wallet's answer may have no
// response type (PAY-29).
func outcome(w answerWire, redirect string, wallet bool) (Outcome, error) {
	kind, code := strings.TrimSpace(string(w.Status.ResponseType)), strings.TrimSpace(string(w.Status.StatusCode))
	switch {
	case kind == "2" && redirect != "":
		return Redirected, nil
	case kind == "2" && strings.TrimSpace(string(w.Redirect)) != "":
		return Unknown, errBadRedirect
	case kind == "" && !wallet || w.Status.StatusCode.line() == "":
		return Unknown, errNoStatus
	case code == "0" && (kind == "1" || kind == "" && wallet):
		return Approved, nil
	case code != "0" && (kind == "0" || kind == "1" || kind == "" && wallet):
		return Declined, nil
	default:
		return Unknown, errNotInTable
	}
}

func otherReference(w answerWire, want Want) error {
	if w.Reference != "" && want.Reference != "" && !strings.EqualFold(string(w.Reference), want.Reference) {
		return errors.New("gateway's answer is about another reference")
	}
	return nil
}

func mismatch(w answerWire, want Want) error {
	if err := otherReference(w, want); err != nil {
		return err
	}
	if w.Currency != "" && want.Currency != "" && !strings.EqualFold(string(w.Currency), want.Currency) {
		return fmt.Errorf("gateway's answer is in %s instead of %s", redacted(string(w.Currency)), want.Currency)
	}
	if w.Amount != "" && want.Amount != 0 {
		if minor, err := money.Parse(string(w.Amount)); err != nil || minor != want.Amount {
			return fmt.Errorf("gateway's answer is about an amount of %s instead of %s", redacted(string(w.Amount)), money.Wire(want.Amount))
		}
	}
	return nil
}

// describe copies what the answer says, removing card numbers from any text that is shown or logged.
func describe(r CardResponse) Answer {
	redirect, last := usable(string(r.Redirect)), lastFour(string(r.Billing.Card.PAN))
	r.Redirect, r.Billing.Card.PAN = Text(redirect), Text(last)
	// These are serial numbers, some of which pass for a card's.
	for _, t := range []*Text{&r.TransactionID, &r.Billing.AuthResponse.BankTransactionNo, &r.Billing.AuthResponse.GatewayReference} {
		*t = Text(t.line())
	}
	for _, t := range []*Text{
		&r.Status.ResponseType, &r.Status.StatusCode, &r.Status.ErrorDesc, &r.Code, &r.TransactionDateUTC,
		&r.Consumer.FirstName, &r.Consumer.LastName, &r.Consumer.Email,
	} {
		*t = Text(redacted(string(*t)))
	}
	return Answer{
		Redirect:          redirect,
		TransactionID:     string(r.TransactionID),
		Code:              string(r.Code),
		Description:       string(r.Status.ErrorDesc),
		BankTransactionNo: string(r.Billing.AuthResponse.BankTransactionNo),
		GatewayReference:  string(r.Billing.AuthResponse.GatewayReference),
		CardLastFour:      last,
		Response:          &r,
	}
}

// maxNamed is how much of an unreadable amount is kept, in characters.
const maxNamed = 40

// maxText is how much of a text is kept, in characters.
const maxText = 200

var (
	isCurrency = regexp.MustCompile(`^[A-Z]{3}$`)
	fourLast   = regexp.MustCompile(`[0-9]{4}$`)
)

func lastFour(pan string) string { return fourLast.FindString(strings.TrimSpace(pan)) }

// redacted makes a text from the gateway safe for a page or a log: one line without digits that could be a card number.
func redacted(s string) string {
	return card.Redact(typed.OneLine(s, maxText))
}

// usable returns the address if a browser may get it at all, and "" otherwise.
func usable(address string) string {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || strings.ContainsRune(address, '\\') {
		return ""
	}
	return u.String()
}
