package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
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

func noticeTo(ctx context.Context, tx pgx.Tx, client string, account uuid.UUID) (reader, error) {
	to, err := db.New(tx).NoticeTo(ctx, client, account)
	return reader{to, printable.Unlinked(to.Name, receipt.MostBusiness), clock.Zone(to.TimeZone)}, err
}

// whyNotice says why somebody on a team gets a letter.
func (l Letters) whyNotice(to reader, client string) Sender {
	return l.provider("You are receiving this email because you are on the team of " + to.business + ". Choose " +
		"your notifications: " + l.page("desk", client, "notices"))
}

// notice tells somebody on a team of events.
func (l Letters) notice(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[notice.LetterData](data)
	if err != nil {
		return nil, err
	}
	to, err := noticeTo(ctx, tx, order.Client, order.Account)
	if err != nil {
		return nil, gone(err)
	}
	list, err := db.New(tx).NoticeEventList(ctx, db.NoticeEventListParams{
		ClientCode: order.Client, AfterNumber: order.After, UntilNumber: order.Until,
		Kinds: order.Kind.Events(), TestMode: order.Test, AtMost: mostEvents,
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	first := list[0]
	words := desk.NoticeWords(first.Kind, order.Count, money.Label(first.AmountMinor, strings.TrimSpace(first.Currency)))
	if order.Kind == notice.Dispute && order.Count > 1 {
		words = desk.NoticeWords(state.EventDisputeOpened, order.Count, "")
	}
	n := Note{
		Sender: l.whyNotice(to, order.Client), Subject: words.Title + " at " + to.business,
		Heading: words.Title, Lines: []string{words.Text}, Test: order.Test,
		Button: &Button{Label: "Open the desk", URL: l.page("desk", order.Client)},
	}
	for _, e := range list {
		name := clock.Text(e.HappenedAt, to.zone)
		value := money.Label(e.AmountMinor, strings.TrimSpace(e.Currency))
		if order.Kind == notice.Dispute && order.Count > 1 {
			value += ", " + strings.TrimPrefix(string(e.Kind), "dispute.")
		}
		n.Facts = append(n.Facts, Fact{Name: name, Value: value})
	}
	if more := order.Count - len(list); more > 0 {
		n.After = []string{fmt.Sprintf("And %d more.", more)}
	}
	if order.Count == 1 && order.Kind != notice.Payout {
		n.Button = &Button{Label: "Open the payment", URL: l.page("desk", order.Client, "payments", first.Subject)}
	}
	letter, err := note(ctx, to.Email, n)
	if err == nil && order.Test { // anybody can dispute a test payment
		letter.Business = order.Client
	}
	return letter, err
}

// summary sends somebody on a team the summary of a day.
func (l Letters) summary(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[notice.SummaryData](data)
	if err != nil {
		return nil, err
	}
	to, err := noticeTo(ctx, tx, order.Client, order.Account)
	if err != nil {
		return nil, gone(err)
	}
	one := shop.Shop{Code: order.Client, TimeZone: to.TimeZone, Currency: strings.TrimSpace(to.Currency), Live: to.Live}
	days, err := notice.DayOf(ctx, db.New(tx), one, order.Day)
	if err != nil || len(days) == 0 {
		return nil, err
	}
	date := days[0].Date.Format("Monday 2 January")
	n := Note{
		Sender: l.whyNotice(to, order.Client), Subject: date + " at " + to.business + ": " + each(days, taken), Heading: date,
		Lines:  []string{"What " + to.business + " took and refunded on " + date + ", by its own clock."},
		Facts:  dayFacts(days),
		Button: &Button{Label: "See the payments", URL: l.page("desk", order.Client, "payments")}, Test: !to.Live,
	}
	letter, err := note(ctx, to.Email, n)
	if err == nil && !to.Live {
		letter.Business = order.Client
	}
	return letter, err
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
