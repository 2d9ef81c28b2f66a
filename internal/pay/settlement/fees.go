package settlement

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/people/review"
)

// Fees is what the provider charges a shop: its own fees or else those of every shop. Without a currency none are set.
type Fees db.FeeGetRow

// FeesOf returns the fees of a shop; of "" those of every shop.
func FeesOf(ctx context.Context, queries *db.Queries, shop string) (Fees, error) {
	row, err := queries.FeeGet(ctx, shop)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return Fees(row), err
}

// Set reports whether there are fees.
func (f Fees) Set() bool { return f.Currency != "" }

// AskForFees stands where fees would, if none are set.
const AskForFees = "Ask us for our fees"

// String words the fees: "1.6% + 10¢ a payment, no monthly fee, GST included".
func (f Fees) String() string {
	if !f.Set() {
		return AskForFees
	}
	month, gst := "no monthly fee", "GST included"
	if f.MonthlyMinor > 0 {
		month = money.Label(f.MonthlyMinor, f.Currency) + " a month"
	}
	if f.GstAdded {
		gst = "plus GST"
	}
	return f.EachPayment() + ", " + month + ", " + gst
}

// EachPayment words the fees of a payment: "1.6% + 10¢ a payment".
func (f Fees) EachPayment() string {
	switch share, fixed := f.Percent()+"%", small(f.FixedMinor, f.Currency); {
	case f.Rate == 0 && f.FixedMinor == 0:
		return "No fee for payments"
	case f.Rate == 0:
		return fixed + " a payment"
	case f.FixedMinor == 0:
		return share + " of each payment"
	default:
		return share + " + " + fixed + " a payment"
	}
}

// Percent returns the share of each payment: "1.6".
func (f Fees) Percent() string { return strconv.FormatFloat(float64(f.Rate)/100, 'f', -1, 64) }

// small prints a fee: "10¢", "$1.00".
func small(minor int64, currency string) string {
	if minor < 100 && currency == money.DefaultCurrency {
		return strconv.FormatInt(minor, 10) + "¢"
	}
	return money.Label(minor, currency)
}

// Of returns the fees for some payments by their sum, without the monthly fee.
func (f Fees) Of(minor, payments int64) int64 {
	fees := float64(minor*f.Rate)/10_000 + float64(payments*f.FixedMinor)
	if f.GstAdded {
		fees *= 1.1
	}
	return int64(math.Floor(fees + 0.5))
}

// rate notes, once all lines of a payout are known, what its fees were to be, and whether staff have to look: it deducts more or less, by
// above a cent for each payment.
func rate(ctx context.Context, queries *db.Queries, number int64) error {
	p, err := queries.PayoutCharges(ctx, number)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	f, err := FeesOf(ctx, queries, p.ShopCode)
	if err != nil || strings.TrimSpace(p.Currency) != f.Currency {
		return err
	}
	due := f.Of(p.AmountMinor, p.Charges)
	off := max(p.FeesMinor-due, due-p.FeesMinor) > p.Charges
	return queries.PayoutRate(ctx, due, off && !p.TestMode, number)
}

// FeeReview is what staff see of fees.
type FeeReview struct {
	Fees
	Name, Unit string // of the shop, "" for every shop, and its currency
	History    []review.Event
}

// ReviewFees returns the fees of a shop, or with "" of every shop. Error: fault.NotFound.
func (s *Settlement) ReviewFees(ctx context.Context, shop string) (v FeeReview, err error) {
	v.Unit = money.DefaultCurrency
	if shop != "" {
		one, err := s.queries.ShopGet(ctx, shop)
		if errors.Is(err, pgx.ErrNoRows) {
			return v, fault.New(fault.NotFound, "no such business")
		}
		if err != nil {
			return v, err
		}
		v.Name, v.Unit = one.Name, one.Currency
	}
	if v.Fees, err = FeesOf(ctx, s.queries, shop); err != nil {
		return v, err
	}
	v.History, err = review.History(ctx, s.queries, feesSubject(shop))
	return v, err
}

// KeepFees replaces the fees of a shop, or with "" of every shop, and notes in the audit log who did; fees that are not set remove them.
func (s *Settlement) KeepFees(ctx context.Context, by, shop string, f Fees) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		note := db.AuditAddParams{Actor: by, Action: "removed the fees", Subject: feesSubject(shop)}
		if !f.Set() {
			return errors.Join(queries.FeeDrop(ctx, shop), queries.AuditAdd(ctx, note))
		}
		note.Action, note.Reason = "set the fees", f.String()
		row := db.FeeSetParams{Rate: f.Rate, FixedMinor: f.FixedMinor, MonthlyMinor: f.MonthlyMinor, GstAdded: f.GstAdded}
		if shop != "" {
			row.ShopCode = &shop
		}
		return errors.Join(queries.FeeSet(ctx, row), queries.AuditAdd(ctx, note))
	})
}

// feesSubject names fees in the audit log.
func feesSubject(shop string) string { return strings.TrimSpace("fees " + shop) }
