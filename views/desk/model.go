// Package desk renders a business's desk, the pages that its team works with.
package desk

import (
	"encoding/base64"
	"net/url"

	"forecourt/internal/onboarding/golive"
	"forecourt/views/layout"
)

// ChecklistFragment is the fragment that htmx refreshes until the first test order is paid.
const ChecklistFragment = "checklist"

// Pages leads through the pages of a list.
type Pages struct {
	First   string // address of the first page
	Next    string // address of the next page; "" on the last
	Further bool   // not the first page
}

// PaymentURL returns the address of a payment on a desk.
func PaymentURL(frame layout.Desk, id string) string {
	return frame.At("payments/" + url.PathEscape(id))
}

// PayoutURL returns the address of a payout on a desk. Its id is the gateway's, which may be any text, and is encoded.
func PayoutURL(frame layout.Desk, id string) string {
	return frame.At("payouts/" + base64.RawURLEncoding.EncodeToString([]byte(id)))
}

// Home is the first page of a desk.
type Home struct {
	Items   []Item
	Waits   bool // the page refreshes itself until the first test order is paid
	MenuURL string
	Confirm string // the reader's address, if it is not confirmed
	Today   *Today // nil before the first payment
}

// Item is a line of the checklist.
type Item struct {
	golive.Item

	Title, Text string
	Number      int    // in the checklist, from 1
	Action, URL string // the link's text and address; no link without URL
	First       bool   // the first step that can be done now
}
