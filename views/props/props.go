// Package props holds the props that the server passes to the React islands, and the words and limits that they share. tygo turns it into
// islands/props.gen.ts.
package props

// Minutes that an order waits in a kitchen before its ticket warns, and before it is late. The page goes on counting by itself.
const (
	KitchenSoon = 10 // minutes before the ticket warns
	KitchenLate = 20 // minutes before it is late
)

// Basket is handed to the order basket on the menu and on the order view.
type Basket struct {
	Shop      string   `json:"shop"`
	Live      bool     `json:"live"`
	Sign      string   `json:"sign"`            // of the currency, before every price: "$"
	Table     string   `json:"table"`           // from ?t=, may be empty
	Stray     string   `json:"stray,omitempty"` // what was typed as the table and cannot be one
	Wrong     string   `json:"wrong,omitempty"` // what to say of it
	Name      string   `json:"name"`            // from ?n=, may be empty
	MenuURL   string   `json:"menuUrl"`
	OrderURL  string   `json:"orderUrl"`            // the order view without JavaScript
	Rate      int32    `json:"rate,omitempty"`      // of the surcharge on what is ordered now, in hundredths of a percent
	Surcharge string   `json:"surcharge,omitempty"` // its name: "Sunday surcharge 10%"
	Tips      []int32  `json:"tips,omitempty"`      // the tips that guests are offered, in percent
	Items     []Item   `json:"items"`
	Choices   []Choice `json:"choices,omitempty"` // of every option group
}

// Item is an item on the menu. PriceMinor is in minor units of the merchant's currency.
type Item struct {
	ID         int64   `json:"id"`
	Name       string  `json:"name"`
	PriceMinor int64   `json:"priceMinor"`
	Picture    string  `json:"picture"`
	SoldOut    bool    `json:"soldOut"`
	Closed     string  `json:"closed,omitempty"` // a sentence that it is closed, and when it opens
	Preset     []int64 `json:"preset,omitempty"` // choices of a line that names none
}

// Choice is one option of an item. PriceMinor is added to the item's price.
type Choice struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	PriceMinor int64  `json:"priceMinor,omitempty"`
	SoldOut    bool   `json:"soldOut,omitempty"`
}

// CardForm is handed to the card form on the payment page.
type CardForm struct {
	Shop      string `json:"shop"`
	TrxID     string `json:"trxId"`
	PageURL   string `json:"pageUrl"`  // the payment page itself; its fragment tells the outcome
	Key       string `json:"key"`      // idempotency key of this showing of the form
	PayLabel  string `json:"payLabel"` // "Pay $12.50"
	Currency  string `json:"currency"`
	TestMode  bool   `json:"testMode"`
	Demo      bool   `json:"demo"`      // the demo transaction: wait, then show Result
	DemoURL   string `json:"demoUrl"`   // where the demo's outcome is shown
	DemoDelay int    `json:"demoDelay"` // milliseconds

	Problems map[string]string `json:"problems"` // what to say of a field, by its name and what is wrong: "name missing"
}

// Bridge is handed to the terminal demo.
type Bridge struct {
	Service string `json:"service"` // origin of the terminal service, "http://localhost:3015"
}

// DemoField is an editable field of a developer demo. Its initial value is the one in the server's form.
type DemoField struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Label string `json:"label"`
	Type  string `json:"type"` // HTML input type
}

// KeyTool is handed to each tool of the key generator.
type KeyTool struct {
	Tool     string            `json:"tool"` // "sha256", "sha1", "hps" or "api"
	Hash     string            `json:"hash"` // "sha1" or "sha256"
	Fields   []DemoField       `json:"fields"`
	Mistakes map[string]string `json:"mistakes"` // what to say of each mistake in a key
}

// HostedPage is handed to the redirect form of the hosted payment page demo.
type HostedPage struct {
	URL      string       `json:"url"` // the hosted page
	NotReady string       `json:"notReady"`
	Groups   []FieldGroup `json:"groups"`
	Samples  []CodeSample `json:"samples"`
}

// FieldGroup is a part of the redirect form. Without a title its fields always show.
type FieldGroup struct {
	Title  string      `json:"title"`
	Open   bool        `json:"open"`
	Fields []DemoField `json:"fields"`
}

// CodeSample is the redirect request in a language: Head, a Line for each field, Tail. {url}, {preimage}, {name}, {value} and {pair} stand
// for texts that are quoted as in that language.
type CodeSample struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Quote string `json:"quote"` // "json", "php" or "shell"
	Head  string `json:"head"`
	Line  string `json:"line"`
	Tail  string `json:"tail"`
}

// EmbeddedCheckout is handed to the embedded checkout of the hosted payment page demo.
type EmbeddedCheckout struct {
	Fields       []DemoField `json:"fields"`
	Script       string      `json:"script"` // the provider's checkout script
	JQuery       string      `json:"jquery"`
	ReturnURL    string      `json:"returnUrl"`
	ReloadPrompt string      `json:"reloadPrompt"`
}

// Wallets is handed to the wallet buttons on the payment page.
type Wallets struct {
	Shop        string `json:"shop"`
	Merchant    string `json:"merchant"` // as the payment sheets name it
	TrxID       string `json:"trxId"`
	PageURL     string `json:"pageUrl"`     // the payment page itself; its fragment tells the outcome
	Key         string `json:"key"`         // idempotency key of this showing, which the card form shares
	Amount      string `json:"amount"`      // "12.50"
	AmountLabel string `json:"amountLabel"` // "$12.50"
	Currency    string `json:"currency"`
	CountryCode string `json:"countryCode"` // of the transaction, may be empty
	Description string `json:"description"`
	Ships       bool   `json:"ships"` // a pay link: the wallet asks for an address
	Google      Google `json:"google"`
	Simulated   bool   `json:"simulated"` // simulated wallets are offered, too: test mode with the built-in sandbox
}

// Google holds what Google Pay has to know about us.
type Google struct {
	Script      string `json:"script"`      // address of Google's script
	Environment string `json:"environment"` // TEST or PRODUCTION
	MerchantID  string `json:"merchantId"`  // Google's for us; empty in TEST
	Gateway     string `json:"gateway"`     // Google's name for the payments gateway
	Nonce       string `json:"nonce"`       // of the page's Content-Security-Policy, for the button's style
}

// WalletDemo is handed to the simulated wallet buttons of the demo transaction.
type WalletDemo struct {
	Merchant    string `json:"merchant"`
	AmountLabel string `json:"amountLabel"` // "$1,000.52"
	DemoURL     string `json:"demoUrl"`     // where the demo's outcome is shown
	DemoDelay   int    `json:"demoDelay"`   // milliseconds
}
