package books

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/shop/shop"
)

const (
	// firstReach is how far back the first closing of a shop reaches.
	firstReach = 31 * 24 * time.Hour
	// countFor is how long counting may take, even for weeks of a busy shop.
	countFor = 50 * time.Second
	// perList is how many closings a page lists.
	perList = 31
)

// Upcoming returns the closing that Close would make now. If the day was closed before, it returns that closing and closed is true.
func (b *Books) Upcoming(ctx context.Context, one shop.Shop, test bool) (c Closing, closed bool, err error) {
	until, err := b.queries.ClosingUntil(ctx, one.Code)
	if err != nil {
		return c, false, err
	}
	c, closed, err = upcoming(ctx, b.queries, one, test, until)
	if err != nil {
		return c, closed, err
	}
	return c, closed, c.addExtras(ctx, b.queries)
}

// Close ends the day of a shop in a mode and returns its closing. If the day was closed before, it returns that closing and made is false.
// Whoever closes it may have counted the cash, in the shop's currency; nil is no count. Errors: shop.ErrMissing, shop.ErrRole.
func (b *Books) Close(ctx context.Context, by shop.Person, one shop.Shop, test bool, cash *int64) (c Closing, made bool, err error) {
	until, err := b.queries.ClosingUntil(ctx, one.Code) // apart from the closing: while it counts, payments are booked
	if err != nil {
		return c, false, err
	}
	err = b.shops.Change(ctx, by, one.Code, shop.Close, func(tx pgx.Tx) (shop.Change, error) {
		var err error
		c, made, err = b.close(ctx, tx, by, one, test, cash, until)
		if err != nil || !made {
			return shop.Change{}, err
		}
		return shop.Change{Action: "day closed", Detail: name(c)}, nil
	})
	return c, made, err
}

// name names a closing in the log of a shop.
func name(c Closing) string {
	text := "closing " + c.Name() + ", " + c.Day.Time.Format(time.DateOnly)
	if c.TestMode {
		text += ", test mode"
	}
	return text
}

func (b *Books) close(
	ctx context.Context, tx pgx.Tx, by shop.Person, one shop.Shop, test bool, cash *int64, until time.Time,
) (c Closing, made bool, err error) {
	queries := b.queries.WithTx(tx)
	ctx, err = db.Patient(ctx, tx, countFor)
	if err != nil {
		return c, false, err
	}
	if err := queries.ClosingLock(ctx, one.Code); err != nil {
		return c, false, err
	}
	c, closed, err := upcoming(ctx, queries, one, test, until)
	if err != nil || closed {
		return c, false, err
	}
	c.ClosedBy = by.Email
	if cash != nil {
		c.CashMinor, c.CashCurrency = *cash, one.Currency
	}
	c.Series, err = queries.ClosingSeries(ctx)
	if err != nil {
		return c, false, err
	}
	c.Signature = b.signer.SignText(c.Text()).Signature
	c.Closing.Totals, err = json.Marshal(c.Totals)
	if err != nil {
		return c, false, err
	}
	return c, true, queries.ClosingAdd(ctx, db.ClosingAddParams(c.Closing))
}

// upcoming counts what a closing at a time has, unless there is one of that day.
func upcoming(ctx context.Context, queries *db.Queries, one shop.Shop, test bool, until time.Time) (c Closing, closed bool, err error) {
	c = Closing{Closing: db.Closing{
		ShopCode: one.Code, TestMode: test, No: 1, Day: pgtype.Date{Time: one.TradingDay(until), Valid: true},
		Since: until.Add(-firstReach), UntilAt: until, TimeZone: one.TimeZone, Business: one.Name, Abn: one.Abn,
	}}
	last, err := queries.ClosingLast(ctx, one.Code, test)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
	case err != nil:
		return c, false, err
	case !last.Day.Time.Before(c.Day.Time) || !last.UntilAt.Before(until):
		c, err = read(last)
		return c, true, err
	default:
		c.No, c.Since = last.No+1, last.UntilAt
	}
	clock.Local(clock.Zone(one.TimeZone), &c.Since, &c.UntilAt)
	c.Totals, err = count(ctx, queries, c)
	return c, false, err
}

func read(row db.Closing) (Closing, error) {
	clock.Local(clock.Zone(row.TimeZone), &row.Since, &row.UntilAt)
	c := Closing{Closing: row}
	return c, json.Unmarshal(row.Totals, &c.Totals)
}

// Closings lists the closings of a shop before a number, the newest first, and returns the number for the next page. Without a number it
// begins with the newest, and there is none after the last page.
func (b *Books) Closings(ctx context.Context, one shop.Shop, test bool, before string) (list []Closing, next string, err error) {
	no, err := strconv.ParseInt(before, 10, 32)
	if err != nil || no <= 0 {
		no = math.MaxInt32
	}
	rows, err := b.queries.ClosingList(ctx, db.ClosingListParams{
		ShopCode: one.Code, TestMode: test, BeforeNo: int32(no), AtMost: perList + 1,
	})
	if len(rows) > perList {
		rows, next = rows[:perList], strconv.Itoa(int(rows[perList-1].No))
	}
	for _, row := range rows {
		c, err := read(row)
		if err != nil {
			return nil, "", err
		}
		list = append(list, c)
	}
	return list, next, err
}

// Closing returns a closing of a shop. Errors: ErrNoBook.
func (b *Books) Closing(ctx context.Context, one shop.Shop, test bool, number int) (Closing, error) {
	if number < 1 || number > math.MaxInt32 {
		return Closing{}, ErrNoBook
	}
	row, err := b.queries.ClosingGet(ctx, one.Code, test, int32(number))
	if errors.Is(err, pgx.ErrNoRows) {
		return Closing{}, ErrNoBook
	}
	if err != nil {
		return Closing{}, err
	}
	c, err := read(row)
	if err != nil {
		return Closing{}, err
	}
	return c, c.addExtras(ctx, b.queries)
}

// Recount counts the money of a closing again. The result equals the closing's totals unless somebody changed the books by hand.
func (b *Books) Recount(ctx context.Context, c Closing) (Totals, error) {
	return count(ctx, b.queries, c)
}

func count(ctx context.Context, queries *db.Queries, c Closing) (totals Totals, err error) {
	rows, err := queries.ClosingCount(ctx, db.ClosingCountParams{
		ShopCode: c.ShopCode, TestMode: c.TestMode, Since: c.Since, Before: c.UntilAt,
	})
	for _, row := range rows {
		totals = append(totals, totalOf(row))
	}
	return totals, err
}

// Signed returns the signed text of a closing with its signature.
func Signed(c Closing) receipt.Signed {
	return receipt.Signed{Text: c.Text(), Signature: c.Signature}
}

// Closing ends a shop's day. It lists the money that was booked since the previous closing, from Since until before UntilAt, which are in
// the zone of the shop at that time. What the gateway tells late is in the next one. Numbers begin at 1 and have no gaps, for test mode and
// real payments apart. Day is midnight UTC of the date.
//
// Series distinguishes numbers given since a restore of the database from equal ones that the backup does not know. It is "" before the
// first restore, then the moment of the latest, as 20261123-074205 in UTC. No two closings of a business have the same number and series.
type Closing struct {
	db.Closing // Signature is of Text

	Totals Totals
	Extras []Extra // of the payments in Totals
}

// Extra is what one kind of extra in payments comes to, a surcharge or a tip, and what was refunded of it.
type Extra = db.MovementExtrasRow

// addExtras adds up the extras in a closing.
func (c *Closing) addExtras(ctx context.Context, queries *db.Queries) (err error) {
	c.Extras, err = queries.MovementExtras(ctx, db.MovementExtrasParams{
		ShopCode: c.ShopCode, TestMode: c.TestMode, BookedSince: c.Since, BookedBefore: c.UntilAt, MovedBefore: always,
	})
	return err
}

// always is after every movement.
var always = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// Name returns the printed number of a closing: "4", or "4 R20261123-074205" since a restore.
func (c Closing) Name() string {
	if c.Series == "" {
		return strconv.Itoa(int(c.No))
	}
	return strconv.Itoa(int(c.No)) + " R" + c.Series
}
