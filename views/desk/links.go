package desk

import (
	"net/url"
	"strings"
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/paylink"
	"forecourt/views/layout"
)

// Links is a page of the list of pay links.
type Links struct {
	Frame      layout.Desk
	URL        string
	Show, Find string // the filter
	Batch      string // id of the batch that the list shows alone; "" for every link
	FileURL    string // of the batch's addresses
	List       []paylink.Link
	Next       string // address of the next page; "" on the last
	Further    bool   // not the first page
	May        bool   // make links
}

// LinkFilters are the lists to choose from.
var LinkFilters = []string{paylink.AllLinks, paylink.OpenLinks, paylink.PaidLinks, paylink.EndedLinks}

var filterNames = map[string]string{
	paylink.AllLinks: "All", paylink.OpenLinks: "Open", paylink.PaidLinks: "Paid", paylink.EndedLinks: "Ended",
}

// Address returns the address of the list with a filter.
func (l Links) Address(show string) string {
	query := url.Values{"show": {show}}
	if l.Find != "" {
		query.Set("find", l.Find)
	}
	if l.Batch != "" {
		query.Set("batch", l.Batch)
	}
	return l.URL + "?" + query.Encode()
}

// filtered reports whether the list lacks some links.
func (l Links) filtered() bool {
	return l.Show != paylink.AllLinks || l.Find != "" || l.Batch != "" || l.Further
}

// LinkStateName returns the text for the state of a pay link.
func LinkStateName(l paylink.Link) string {
	if l.State == paylink.LinkOtherMode {
		if l.Test {
			return "Made in test mode"
		}
		return "Made for real payments"
	}
	return linkStates[l.State]
}

var linkStates = map[paylink.LinkState]string{
	paylink.LinkNew: "Not opened yet", paylink.LinkOpened: "Opened", paylink.LinkPaying: "Being paid", paylink.LinkDeclined: "Card declined",
	paylink.LinkPaid: "Paid", paylink.LinkRefunded: "Refunded", paylink.LinkExpired: "Expired", paylink.LinkEnded: "Ended",
	paylink.LinkClosed: "Not confirmed",
}

// linkTone returns the look of a state's pill.
func linkTone(s paylink.LinkState) string {
	switch s {
	case paylink.LinkPaid:
		return "good"
	case paylink.LinkDeclined, paylink.LinkClosed:
		return "bad"
	case paylink.LinkExpired, paylink.LinkEnded, paylink.LinkRefunded, paylink.LinkOtherMode:
		return "over"
	default:
		return ""
	}
}

// linkTitle returns the name of a link in a list.
func linkTitle(l paylink.Link) string {
	parts := []string{}
	for _, part := range []string{l.Description, l.Reference} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return "No description"
	}
	return strings.Join(parts, " · ")
}

func linkAmount(l paylink.Link) string { return money.Label(l.Amount, l.Currency) }

// moment returns a moment in the zone that it carries.
func moment(t time.Time) string { return clock.Text(t, t.Location()) }
