package books

import (
	"context"
	"time"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/shop"
)

// mostPayouts is how many payouts a statement lists. A gateway pays out once a day.
const mostPayouts = 200

// Statement adds up a month of a shop. Only the year and the month of month count.
func (b *Books) Statement(ctx context.Context, one shop.Shop, test bool, month time.Time) (st Statement, err error) {
	zone := one.Zone()
	first := time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, zone)
	span := Span{
		Shop: one.Code, Test: test, Since: first, Before: time.Date(month.Year(), month.Month()+1, 1, 0, 0, 0, 0, zone), Zone: zone,
	}
	st = Statement{Span: span, Month: first, Business: one.Name, ABN: one.Abn, Made: time.Now().In(zone)}
	rows, err := b.queries.MovementDays(ctx, db.MovementDaysParams{
		Zone: zone.String(), ShopCode: one.Code, TestMode: test, Since: span.Since, Before: span.Before,
	})
	if err != nil {
		return st, err
	}
	for _, row := range rows {
		total := Totals{totalOf(db.ClosingCountRow{
			Currency: row.Currency, Method: row.Method, Payments: row.Payments, TakenMinor: row.TakenMinor, GstMinor: row.GstMinor,
			Refunds: row.Refunds, RefundsDoneMinor: row.RefundsDoneMinor, RefundGstMinor: row.RefundGstMinor,
			Lost: row.Lost, LostMinor: row.LostMinor, Returned: row.Returned, ReturnedMinor: row.ReturnedMinor, FeesMinor: row.FeesMinor,
		})}
		st.Totals = st.Totals.Plus(total)
		day, err := time.ParseInLocation(time.DateOnly, row.Day, zone)
		if err != nil {
			return st, err
		}
		if n := len(st.Days); n == 0 || !st.Days[n-1].Day.Equal(day) {
			st.Days = append(st.Days, StatementDay{Day: day})
		}
		last := &st.Days[len(st.Days)-1]
		last.Totals = last.Totals.Plus(total.Currencies())
	}
	st.Extras, err = b.queries.MovementExtras(ctx, db.MovementExtrasParams{
		ShopCode: one.Code, TestMode: test, MovedSince: span.Since, MovedBefore: span.Before, BookedBefore: always,
	})
	if err != nil {
		return st, err
	}
	if st.Payouts, err = b.payouts(ctx, span); err != nil {
		return st, err
	}
	if st.MorePayouts = len(st.Payouts) > mostPayouts; st.MorePayouts {
		st.Payouts = st.Payouts[:mostPayouts]
	}
	return st, nil
}

func (b *Books) payouts(ctx context.Context, s Span) (list []StatementPayout, err error) {
	rows, err := b.queries.ExportPayoutList(ctx, db.ExportPayoutListParams{
		ShopCode: s.Shop, TestMode: s.Test, AfterAt: s.Since, Before: s.Before, AtMost: mostPayouts + 1,
	})
	for _, row := range rows {
		row.Payout.PaidAt = row.Payout.PaidAt.In(s.Zone)
		list = append(list, row)
	}
	return list, err
}

// SpanOf returns the span from the first to the last day of a shop's clock, the last one included.
func SpanOf(one shop.Shop, test bool, first, last time.Time) Span {
	zone := one.Zone()
	return Span{
		Shop: one.Code, Test: test, Since: time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, zone),
		Before: clock.EndOf(last, zone), Zone: zone,
	}
}
