package notice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/push"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
)

// Letter tells a person about events; its data is LetterData.
const Letter = "notice"

// LetterData is what Letter needs.
type LetterData struct {
	Shop         string    `json:"client"`
	Account      uuid.UUID `json:"account"`
	Kind         Kind      `json:"kind"`
	After, Until int64     // the numbers of the events
	Test         bool      `json:"test"`
	Count        int       `json:"count"`
}

// Send queues the letters and messages that are due at a moment. A team hears about the first event of a kind at once, and about those of
// the next notice.Pause in one letter after it, so that a hundred failed refunds make a handful of letters.
func (n *Notices) Send(ctx context.Context, now time.Time) error {
	for {
		more, err := n.sendOne(ctx, now)
		if err != nil || !more {
			return err
		}
	}
}

func (n *Notices) sendOne(ctx context.Context, now time.Time) (found bool, err error) {
	err = pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		queries := n.queries.WithTx(tx)
		due, err := queries.NoticeDueTake(ctx, now)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		kind := Kind(due.Kind)
		sums, err := queries.NoticeEventSum(ctx, due.ShopCode, due.AfterNumber, kind.Events())
		if err != nil {
			return err
		}
		until := due.AfterNumber
		for _, sum := range sums {
			until = max(until, sum.LastNumber)
			letter := LetterData{
				Shop: due.ShopCode, Kind: kind, After: due.AfterNumber, Until: sum.LastNumber, Test: sum.TestMode, Count: int(sum.Events),
			}
			note := push.Note{
				Shop: due.ShopCode, Kind: due.Kind, Event: sum.Kind, Count: int(sum.Events),
				Amount: sum.AmountMinor, Currency: strings.TrimSpace(sum.Currency), Test: sum.TestMode,
			}
			err := n.queueNotice(ctx, tx, note, func(account uuid.UUID) mail.Request {
				letter.Account = account
				return mail.Request{Kind: Letter, Key: fmt.Sprintf("notice/%s/%s/%d/%s", letter.Shop, kind, letter.Until, account), Data: letter}
			})
			if err != nil {
				return err
			}
		}
		return queries.NoticeDueTold(ctx, db.NoticeDueToldParams{
			ShopCode: due.ShopCode, Kind: due.Kind, UntilNumber: until, Now: now,
		})
	})
	return found && err == nil, err
}

// queueNotice queues the messages, and the letters that letter writes, for everybody who wants them.
func (n *Notices) queueNotice(ctx context.Context, tx pgx.Tx, note push.Note, letter func(account uuid.UUID) mail.Request) error {
	queries, kind := n.queries.WithTx(tx), Kind(note.Kind)
	members, err := queries.NoticeMemberList(ctx, note.Kind, note.Shop)
	if err != nil {
		return err
	}
	for _, m := range members {
		if !slices.Contains(Told(shop.Shop{Shop: m.Shop}, shop.Role(m.Role)), kind) {
			continue
		}
		choice := Default(shop.Role(m.Role), kind)
		if m.Mail != nil && m.Push != nil {
			choice = Choice{Mail: *m.Mail, Push: *m.Push}
		}
		// The business's own address gets settlement.LetterDispute in any case.
		if choice.Mail && m.Verified && (kind != Dispute || !m.IsBusiness) {
			if err := n.mail.Add(ctx, tx, letter(m.ID)); err != nil {
				return err
			}
		}
		if !choice.Push || n.push == nil {
			continue
		}
		browsers, err := queries.NoticeBrowserList(ctx, m.ID)
		if err != nil {
			return err
		}
		for _, browser := range browsers {
			if err := n.push.QueueNote(ctx, tx, m.ID, browser, note); err != nil {
				return err
			}
		}
	}
	return nil
}

// SummaryHour is the hour of a business's own clock from which yesterday may be summed up. Changes to summer time come before it.
const SummaryHour = 7

// LetterSummary sums up a day for a person; its data is SummaryData.
const LetterSummary = "notice summary"

// SummaryData is what LetterSummary needs.
type SummaryData struct {
	Shop    string    `json:"client"`
	Account uuid.UUID `json:"account"`
	Day     string    `json:"day"` // 2026-11-22
	Test    bool      `json:"test"`
}

// DayToTell returns the last day that may be summed up at a moment, by the clock of a zone: yesterday from SummaryHour on, and before that
// the day before yesterday.
func DayToTell(now time.Time, zone *time.Location) string {
	local, back := now.In(zone), 1
	if local.Hour() < SummaryHour {
		back = 2
	}
	return time.Date(local.Year(), local.Month(), local.Day()-back, 12, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// Summarise orders yesterday's summary once for each business whose clock has reached SummaryHour: that of real
// payments, or in test mode that of test payments if there was no real one. It skips days without a payment or refund, and days that
// passed while the program was not running.
func (n *Notices) Summarise(ctx context.Context, now time.Time) error {
	// A day begins first in Kiritimati. A business whose day has not begun yet is left for a later round: this runs every minute.
	list, err := n.queries.NoticeDayList(ctx, DayToTell(now, clock.Zone("Pacific/Kiritimati")))
	if err != nil {
		return err
	}
	for _, business := range list {
		if business.Day >= DayToTell(now, clock.Zone(business.TimeZone)) {
			continue
		}
		if err := n.summarise(ctx, business.Code, now); err != nil {
			return err
		}
	}
	return nil
}

func (n *Notices) summarise(ctx context.Context, code string, now time.Time) error {
	return pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		queries := n.queries.WithTx(tx)
		business, err := queries.ShopGet(ctx, code)
		if err != nil {
			return err
		}
		day := DayToTell(now, clock.Zone(business.TimeZone))
		rows, err := queries.NoticeDaySet(ctx, code, day)
		if err != nil || rows == 0 {
			return err
		}
		one, test := shop.Shop{Shop: business}, false
		days, err := DayOf(ctx, queries, one, test, day)
		if err == nil && len(days) == 0 && !one.Live {
			test = true
			days, err = DayOf(ctx, queries, one, test, day)
		}
		if err != nil || len(days) == 0 {
			return err
		}
		note := push.Note{Shop: code, Kind: string(Summary), Day: day, Test: test}
		for i, d := range days {
			note.Count, note.Refunds = note.Count+d.Orders, note.Refunds+d.Refunds
			if i == 0 {
				note.Amount, note.Refunded, note.Currency = d.Taken, d.Refunded, d.Currency
				continue
			}
			note.Others = append(note.Others, push.NoteSum{Amount: d.Taken, Refunded: d.Refunded, Currency: d.Currency})
		}
		return n.queueNotice(ctx, tx, note, func(account uuid.UUID) mail.Request {
			return mail.Request{
				Kind: LetterSummary, Key: "notice/" + code + "/day/" + day + "/" + account.String(), Data: SummaryData{code, account, day, test},
			}
		})
	})
}

// DayOf adds up a business's day (2026-11-22, by its own clock) in a mode, in each currency in which money moved.
func DayOf(ctx context.Context, queries *db.Queries, one shop.Shop, test bool, day string) (books.Days, error) {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil, err
	}
	days, err := books.DaysOf(ctx, queries, one, test, one.DayBegins(date), one.DayBegins(date.AddDate(0, 0, 1)))
	return slices.DeleteFunc(days, func(d books.Day) bool { return d.Orders == 0 && d.Refunds == 0 }), err
}
