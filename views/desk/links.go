package desk

import (
	"net/url"
	"strings"
	"time"

	"forecourt/internal/clock"
	"forecourt/internal/money"
	"forecourt/internal/shop"
	"forecourt/views/layout"
)

// Links is a page of the list of pay links.
type Links struct {
	Frame      layout.Desk
	URL        string
	Show, Find string // the filter
	Batch      string // id of the batch that the list shows alone; "" for every link
	FileURL    string // of the batch's addresses
	List       []shop.Link
	Next       string // address of the next page; "" on the last
	Further    bool   // not the first page
	May        bool   // make links
}

// LinkFilters are the lists to choose from.
var LinkFilters = []string{shop.AllLinks, shop.OpenLinks, shop.PaidLinks, shop.EndedLinks}

var filterNames = map[string]string{shop.AllLinks: "All", shop.OpenLinks: "Open", shop.PaidLinks: "Paid", shop.EndedLinks: "Ended"}

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
	return l.Show != shop.AllLinks || l.Find != "" || l.Batch != "" || l.Further
}

// LinkStateName returns the text for the state of a pay link.
func LinkStateName(l shop.Link) string {
	if l.State == shop.LinkOtherMode {
		if l.Test {
			return "Made in test mode"
		}
		return "Made for real payments"
	}
	return linkStates[l.State]
}

var linkStates = map[shop.LinkState]string{
	shop.LinkNew: "Not opened yet", shop.LinkOpened: "Opened", shop.LinkPaying: "Being paid", shop.LinkDeclined: "Card declined",
	shop.LinkPaid: "Paid", shop.LinkRefunded: "Refunded", shop.LinkExpired: "Expired", shop.LinkEnded: "Ended",
	shop.LinkClosed: "Not confirmed",
}

// linkTone returns the look of a state's pill.
func linkTone(s shop.LinkState) string {
	switch s {
	case shop.LinkPaid:
		return "good"
	case shop.LinkDeclined, shop.LinkClosed:
		return "bad"
	case shop.LinkExpired, shop.LinkEnded, shop.LinkRefunded, shop.LinkOtherMode:
		return "over"
	default:
		return ""
	}
}

// linkTitle returns the name of a link in a list.
func linkTitle(l shop.Link) string {
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

func linkAmount(l shop.Link) string { return money.Label(l.Amount, l.Currency) }

// moment returns a moment in the zone that it carries.
func moment(t time.Time) string { return clock.Text(t, t.Location()) }
