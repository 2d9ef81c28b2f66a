package gateway

import (
	"encoding/json"
	"errors"
	"strconv"
)

// CardResponse is the specification's card response (PAY-50). After this package has read it, card.pan holds at most the last four digits.
type CardResponse struct {
	Status             CardStatus   `json:"status"`
	TransactionID      Text         `json:"transactionid"`
	Code               Text         `json:"code"`
	Redirect           Text         `json:"redirect"`
	TransactionDateUTC Text         `json:"transactiondate_utc"`
	Billing            CardBilling  `json:"billing"`
	Consumer           CardConsumer `json:"consumer"`
}

// CardStatus tells the outcome: approved is response type "1" with status code "0" (PAY-28).
type CardStatus struct {
	ResponseType Text `json:"responsetype"`
	StatusCode   Text `json:"statuscode"`
	ErrorDesc    Text `json:"errordesc"`
}

// CardBilling holds the names of a charge on receipts.
type CardBilling struct {
	AuthResponse CardAuth   `json:"authresponse"`
	Card         CardMasked `json:"card"`
}

// CardAuth holds the bank's and the gateway's own numbers of the charge.
type CardAuth struct {
	BankTransactionNo Text `json:"banktransactionno"`
	GatewayReference  Text `json:"gatewayreference"`
}

// CardMasked is the card that was charged.
type CardMasked struct {
	PAN Text `json:"pan"`
}

// CardConsumer is the customer as the gateway knows them.
type CardConsumer struct {
	FirstName Text `json:"firstname"`
	LastName  Text `json:"lastname"`
	Email     Text `json:"email"`
}

// Text reads a JSON string, a number (whole numbers without a fraction: 1.0 becomes "1") or null (""). It refuses anything else.
type Text string

// errText does not quote the value, which may hold card data.
var errText = errors.New("not a JSON string or number")

// UnmarshalJSON implements json.Unmarshaler.
func (t *Text) UnmarshalJSON(raw []byte) error {
	switch {
	case len(raw) == 0:
		return errText
	case raw[0] == '"':
		return json.Unmarshal(raw, (*string)(t))
	case string(raw) == "null":
		*t = ""
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		*t = Text(raw)
		if whole, err := strconv.ParseFloat(string(raw), 64); err == nil && whole == float64(int64(whole)) && whole < 1<<53 && whole > -1<<53 {
			*t = Text(strconv.FormatInt(int64(whole), 10))
		}
	default:
		return errText
	}
	return nil
}
