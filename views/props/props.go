// Package props holds what the server hands to the React islands. tygo turns it into islands/props.gen.ts.
package props

// Basket is handed to the order basket on the menu and on the order view.
type Basket struct {
	Client   string `json:"client"`
	Live     bool   `json:"live"`
	Table    string `json:"table"` // from ?t=, may be empty
	Name     string `json:"name"`  // from ?n=, may be empty
	MenuURL  string `json:"menuUrl"`
	OrderURL string `json:"orderUrl"` // the order view without JavaScript
	Items    []Item `json:"items"`
}

// Item is one thing on the menu. PriceMinor is in minor units of the merchant's currency.
type Item struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	PriceMinor int64  `json:"priceMinor"`
	Picture    string `json:"picture"`
	SoldOut    bool   `json:"soldOut"`
}

// CardForm is handed to the card form on the payment page.
type CardForm struct {
	Client    string `json:"client"`
	TrxID     string `json:"trxId"`
	PageURL   string `json:"pageUrl"`  // the payment page itself; its fragment tells the outcome
	Key       string `json:"key"`      // idempotency key of this showing of the form
	PayLabel  string `json:"payLabel"` // "Pay $12.50"
	Currency  string `json:"currency"`
	TestMode  bool   `json:"testMode"`
	Demo      bool   `json:"demo"`      // the demo transaction: wait, then show Result
	DemoURL   string `json:"demoUrl"`   // where the demo's outcome is shown
	DemoDelay int    `json:"demoDelay"` // milliseconds
}

// Bridge is handed to the terminal demo.
type Bridge struct {
	Service string `json:"service"` // origin of the terminal service, "http://localhost:3015"
}
