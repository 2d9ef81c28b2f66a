package mails

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/notice"
	"forecourt/internal/shop/shop"
	"forecourt/views/desk"
)

// mostEvents is how many events a letter lists.
const mostEvents = 20

// reader is a member of a team to whom a letter goes.
type reader struct {
	db.NoticeToRow
	business string // its name
	zone     *time.Location
}

func noticeTo(ctx context.Context, queries *db.Queries, code string, account uuid.UUID) (reader, error) {
	to, err := queries.NoticeTo(ctx, code, account)
	return reader{to, unlinked(to.Name), clock.Zone(to.TimeZone)}, err
}

// whyNotice says why somebody on a team gets a letter.
func (l Letters) whyNotice(to reader, code string) string {
	return "you are on the team of " + to.business + ". Choose your notifications: " + l.page("desk", code, "notices")
}

// notice tells somebody on a team of events.
func (l Letters) notice(ctx context.Context, queries *db.Queries, data notice.LetterData) (n Note, err error) {
	to, err := noticeTo(ctx, queries, data.Shop, data.Account)
	if err != nil {
		return n, err
	}
	list, err := queries.NoticeEventList(ctx, db.NoticeEventListParams{
		ShopCode: data.Shop, AfterNumber: data.After, UntilNumber: data.Until,
		Kinds: data.Kind.Events(), TestMode: data.Test, AtMost: mostEvents,
	})
	if err != nil || len(list) == 0 {
		return n, err
	}
	first := list[0]
	words := desk.NoticeWords(first.Kind, data.Count, money.Label(first.AmountMinor, strings.TrimSpace(first.Currency)))
	disputes := data.Kind == notice.Dispute && data.Count > 1
	if disputes {
		words = desk.NoticeWords(state.EventDisputeOpened, data.Count, "")
	}
	n = Note{
		To: to.Email, Why: l.whyNotice(to, data.Shop), Subject: words.Title + " at " + to.business,
		Heading: words.Title, Lines: []string{words.Text}, Test: data.Test,
		Button: &Button{Label: "Open your business", URL: l.page("desk", data.Shop)},
	}
	for _, e := range list {
		value := money.Label(e.AmountMinor, strings.TrimSpace(e.Currency))
		if disputes {
			value += ", " + strings.TrimPrefix(string(e.Kind), "dispute.")
		}
		n.Facts = append(n.Facts, Fact{Name: clock.Text(e.HappenedAt, to.zone), Value: value})
	}
	if more := data.Count - len(list); more > 0 {
		n.After = []string{fmt.Sprintf("And %d more.", more)}
	}
	if data.Count == 1 && data.Kind != notice.Payout {
		n.Button = &Button{Label: "Open the payment", URL: l.page("desk", data.Shop, "payments", first.Subject)}
		if data.Kind == notice.RefundAsked {
			n.Button = &Button{Label: "See the refund", URL: n.Button.URL + "/refund"}
		}
	}
	if data.Test { // anybody can dispute a test payment
		n.Counts = data.Shop
	}
	return n, nil
}

// summary sends somebody on a team the summary of a day.
func (l Letters) summary(ctx context.Context, queries *db.Queries, data notice.SummaryData) (n Note, err error) {
	to, err := noticeTo(ctx, queries, data.Shop, data.Account)
	if err != nil {
		return n, err
	}
	one := shop.Shop{Shop: db.Shop{Code: data.Shop, TimeZone: to.TimeZone, Currency: strings.TrimSpace(to.Currency)}}
	days, err := notice.DayOf(ctx, queries, one, data.Test, data.Day)
	if err != nil || len(days) == 0 {
		return n, err
	}
	date := days[0].Date.Format("Monday 2 January")
	n = Note{
		To: to.Email, Why: l.whyNotice(to, data.Shop), Subject: date + " at " + to.business + ": " + each(days, taken), Heading: date,
		Lines:  []string{"What " + to.business + " took and refunded on " + date + ", by its own clock."},
		Facts:  dayFacts(days),
		Button: &Button{Label: "See the payments", URL: l.page("desk", data.Shop, "payments")}, Test: data.Test,
	}
	if data.Test {
		n.Counts, n.Button.URL = data.Shop, n.Button.URL+"?mode=test"
	}
	return n, nil
}

// dayFacts lists the totals of a day in each currency.
func dayFacts(days books.Days) []Fact {
	payments, refunds := 0, 0
	for _, day := range days {
		payments, refunds = payments+day.Orders, refunds+day.Refunds
	}
	return []Fact{
		{Name: "Taken", Value: each(days, taken)}, {Name: "Payments", Value: strconv.Itoa(payments)},
		{Name: "Average", Value: each(days, books.Day.Average)},
		{Name: "Refunded", Value: each(days, func(day books.Day) int64 { return day.Refunded })}, {Name: "Refunds", Value: strconv.Itoa(refunds)},
	}
}

func taken(day books.Day) int64 { return day.Taken }

// each prints an amount of a day in each currency.
func each(days books.Days, of func(books.Day) int64) string {
	var list []books.Money
	for _, day := range days {
		list = append(list, books.Money{Minor: of(day), Currency: day.Currency})
	}
	return desk.Amounts(list)
}
