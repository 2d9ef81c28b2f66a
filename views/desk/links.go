package desk

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/paylink"
	"forecourt/views/ui"
)

// Links is a page of the list of pay links.
type Links struct {
	paylink.Filter

	Frame ui.Desk
	List  []paylink.Link
	Pages Pages
	May   bool // make links
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
	return l.Frame.At("links?") + query.Encode()
}

// filtered reports whether the list lacks some links.
func (l Links) filtered() bool {
	return l.Filter != paylink.Filter{} || l.Pages.Further
}

// linkStates are the words of a state, the look of its pill, and what it means for the business.
var linkStates = map[paylink.LinkState]struct {
	name string
	tone ui.Tone
	text string
}{
	paylink.LinkNew:      {"Not opened yet", "", "Nobody has opened the link yet."},
	paylink.LinkOpened:   {"Opened", "", "The link was opened and is not paid yet."},
	paylink.LinkPaying:   {"Being paid", "", "A payment is under way. This page shows how it ends."},
	paylink.LinkDeclined: {"Card declined", ui.Warning, "The last card was declined. The payer can try again."},
	paylink.LinkPaid:     {"Paid", ui.Good, "The payment is complete."},
	paylink.LinkRefunded: {"Refunded", "", "The whole payment was refunded."},
	paylink.LinkExpired:  {"Expired", "", "It was not paid in time. Make a new link to ask again."},
	paylink.LinkEnded:    {"Ended", "", "You ended the link. Anybody who opens it reads that it can no longer be paid."},
	paylink.LinkClosed: {"Not confirmed", ui.Warning, "Nobody could confirm whether the last payment was charged. So that it is not paid " +
		"twice, the link is closed. Make a new link to ask again: if the charge turns up later, our staff look into it."},
	paylink.LinkOtherMode: {
		"Made for real payments", "", "Your business has since switched between test and real payments. Make a new link.",
	},
}

// linkState returns the text for the state of a pay link.
func linkState(l paylink.Link) string {
	if l.State == paylink.LinkOtherMode && l.Transaction.TestMode {
		return "Made in test mode"
	}
	return linkStates[l.State].name
}

// linkTitle returns the name of a link in a list.
func linkTitle(l paylink.Link) string {
	parts := []string{}
	for _, part := range []string{l.Transaction.Description, l.Transaction.ClientRef} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return "No description"
	}
	return strings.Join(parts, " · ")
}

func linkAmount(l paylink.Link) string {
	return money.Label(l.Position.Amount(), l.Transaction.Currency)
}

// moment returns a moment in the zone that it carries.
func moment(t time.Time) string { return clock.Text(t, t.Location()) }

// LinkFragment is the fragment with the state of a pay link, which htmx refreshes while the link is open.
const LinkFragment = "standing"

// Link is the page of one pay link.
type Link struct {
	Frame  ui.Desk
	URL    string
	Link   paylink.Link
	Code   ui.QRCode
	May    bool   // mail and end it
	Done   string // what was done just now: a key of LinkDone
	Hours  int    // until the link may be mailed, if Done says that there were too many letters
	Notice string // why it was not done
	To     string // the address that was typed, or that the link was mailed to
}

// LinkDone returns the text for the result of making, mailing or ending a link.
var LinkDone = map[string]string{
	"made": "The pay link is ready. Share it with whoever pays.", "ended": "The pay link has ended. Nobody can pay it any more.",
	"sent":       "We are sending the link.",
	"held":       "The link was not sent: in test mode only your own team receives email. Copy it instead.",
	"nomail":     "Enter an email address like name@example.com.",
	"unverified": "Confirm your own email address first: your account page sends you a link. Then you can email pay links.",
	"limit":      "You have reached the limit of emails for today. Share the link another way.",
	"over":       "The link can no longer be paid, so it was not emailed.",
}

// LinkNotMailed says why a link was not emailed; done is a key of LinkDone. hours, from 1 to 24, says when letters can be sent again.
func LinkNotMailed(done string, hours int) string {
	if done == "limit" && hours >= 1 && hours <= 24 {
		return LinkDone[done] + " You can email it again in " + ui.Count(hours, "hour") + "."
	}
	return LinkDone[done]
}

// LinkNotEnded says why a link was not ended.
const LinkNotEnded = "The link could not be ended: it was paid, somebody is paying it now, or it has expired."

// status returns what was done just now; problem reports that a part of it failed.
func (m Link) status() (text string, problem bool) {
	if made, ok := LinkDone[m.Done]; ok {
		return made, m.Done == "held"
	}
	if len(m.Done) > len("made-") && m.Done[:len("made-")] == "made-" {
		sent := m.Done[len("made-"):]
		if _, ok := LinkDone[sent]; ok {
			return "The pay link is ready. " + LinkNotMailed(sent, m.Hours), sent != "sent"
		}
	}
	return "", false
}

// Changing reports whether the state may still change by itself.
func (m Link) Changing() bool { return m.Link.Open() || m.Link.State == paylink.LinkPaying }

// refunded returns the amount that was refunded; "" for none.
func (m Link) refunded() string {
	if m.Link.Position.RefundedMinor == 0 {
		return ""
	}
	return money.Label(m.Link.Position.RefundedMinor, m.Link.Transaction.Currency)
}

func (m Link) toField() ui.Field {
	return ui.Field{
		ID: "to", Name: "to", Label: "Email it to", Type: "email", Autocomplete: "off", Value: m.To,
		Hint: "We send one message with the link, the amount and what it is for.",
	}
}

// ManyLinks is the form that takes a table of pay links.
type ManyLinks struct {
	Key     string           // of this form
	Text    string           // the table, as typed or read from the file
	Problem string           // what is wrong with the table as a whole
	Rows    paylink.Problems // of its rows, which the page numbers as a spreadsheet does: the heading is row 1
}

// mostProblems is how many problems the page lists.
const mostProblems = 100

// These are the problems of a table as a whole.
const (
	TableTooLarge = "The file is larger than 8 MB. Split it into several."
	TableEmpty    = "The table has no rows. Choose a file or paste the rows, with a heading line first."
	TableHeading  = "The first line has to name the columns: amount and, if you want, reference, description, expires and currency, each once."
	TableAgain    = "You have already made links from another table with this form. Press the button again to make these as well."
)

// TableTooMany says that a table has too many rows.
var TableTooMany = "A table can have " + strconv.Itoa(paylink.Max) + " rows at most. Split it into several."

func (m ManyLinks) field() ui.Field {
	return ui.Field{
		ID: "rows", Name: "rows", Label: "Paste the rows here", Value: m.Text, Problem: m.Problem,
		Hint: "The first line names the columns. Commas, semicolons and tabs all work.",
	}
}

func (m ManyLinks) listed() paylink.Problems { return m.Rows[:min(len(m.Rows), mostProblems)] }
