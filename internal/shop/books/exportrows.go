package books

import (
	"bytes"
	"context"
	"encoding/csv"
	"strconv"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
)

// perPage is how many payments, refunds or payouts are read at once. A table takes the memory of one page, however long it is.
const perPage = 2000

// place is where a page of a table begins: after this row.
type place struct {
	at time.Time
	id string
}

// from returns where the first page of a table begins: after an id that comes before every other.
func from(kind ExportKind, s Span) place {
	if kind == ExportPayouts {
		return place{s.Since, "0"}
	}
	return place{s.Since, uuid.Nil.String()}
}

// headings are the first line of each table.
var headings = map[ExportKind][]string{
	ExportPayments: {
		"date", "time", "zone", "payment", "what", "reference", "description", "table", "guest",
		"payer", "method", "card", "last four", "amount", "gst", "currency", "gateway id", "mode",
	},
	ExportLines: {
		"date", "time", "zone", "payment", "line", "item", "options", "made in", "quantity", "each", "total", "currency", "mode",
		"kind", "category",
	},
	ExportRefunds: {
		"date", "time", "zone", "refund", "payment", "method", "amount", "gst", "currency", "reason", "lines", "asked by", "gateway id", "mode",
	},
	ExportDisputes: {
		"date", "time", "zone", "payment", "what", "method", "card", "last four", "amount", "currency", "gateway id", "mode",
	},
	ExportPayouts: {"date", "time", "zone", "payout", "gross", "fees", "net", "currency", "entries", "mode"},
}

// counted are the kinds of movements in each table.
var counted = map[ExportKind][]string{
	ExportPayments: {"capture"}, ExportLines: {"capture"}, ExportRefunds: {"refund"}, ExportDisputes: {"taken", "returned"},
}

// head returns what a table begins with: the mark by which spreadsheets recognise UTF-8, and the headings.
func head(kind ExportKind) []byte {
	return append([]byte("\ufeff"), lines([][]string{headings[kind]})...)
}

// page reads a page of a table. next is where the page after it begins. n is how many payments, refunds or payouts were read; fewer than
// perPage is the end.
func (b *Books) page(ctx context.Context, kind ExportKind, s Span, after place) (text []byte, next place, n int, err error) {
	var rows [][]string
	switch kind {
	case ExportPayouts:
		rows, next, n, err = b.payoutPage(ctx, s, after)
	case ExportRefunds:
		rows, next, n, err = b.refundPage(ctx, s, after)
	case ExportDisputes:
		rows, next, n, err = b.disputePage(ctx, s, after)
	case ExportLines:
		rows, next, n, err = b.linePage(ctx, s, after)
	default:
		rows, next, n, err = b.paymentPage(ctx, s, after)
	}
	return lines(rows), next, n, err
}

// payments reads a page of payments.
func (b *Books) payments(ctx context.Context, s Span, after place) (list []db.ExportPaymentListRow, next place, err error) {
	list, err = b.queries.ExportPaymentList(ctx, db.ExportPaymentListParams{
		ShopCode: s.Shop, TestMode: s.Test, AfterAt: after.at, AfterID: uuid.MustParse(after.id), Before: s.Before, AtMost: perPage,
	})
	if n := len(list); n > 0 {
		after = place{list[n-1].MovedAt, list[n-1].ID.String()}
	}
	return list, after, err
}

func (b *Books) paymentPage(ctx context.Context, s Span, after place) (rows [][]string, next place, n int, err error) {
	list, next, err := b.payments(ctx, s, after)
	for _, p := range list {
		what := "order"
		switch {
		case p.ID != p.AttemptID:
			what = "correction"
		case p.Kind == state.LinkKind:
			what = "pay link"
		}
		rows = append(rows, append(when(p.MovedAt, s.Zone),
			text(p.TransactionID), what, text(p.ClientRef), text(p.Description), text(p.TableName),
			text(p.CustomerName), text(p.PayerName), string(p.Method), text(p.CardBrand), p.CardLastFour,
			money.Wire(p.AmountMinor), money.Wire(p.GstMinor), p.Currency, text(p.GatewayID), mode(s.Test)))
	}
	return rows, next, len(list), err
}

// linePage reads the lines of a page of payments. Pay links have none. Where another amount was taken than an order comes to, a line of its
// own has the difference, so that the lines add up to the payments.
func (b *Books) linePage(ctx context.Context, s Span, after place) (rows [][]string, next place, n int, err error) {
	list, next, err := b.payments(ctx, s, after)
	if err != nil {
		return nil, next, 0, err
	}
	ids := make([]string, len(list))
	for i, p := range list {
		if p.ID == p.AttemptID { // a correction has no lines of its own
			ids[i] = p.TransactionID
		}
	}
	found, err := b.queries.ExportLineList(ctx, ids, s.Shop)
	of := map[string][]db.ExportLineListRow{}
	for _, l := range found {
		of[l.TransactionID] = append(of[l.TransactionID], l)
	}
	for i, p := range list {
		difference := p.AmountMinor
		for _, l := range of[ids[i]] {
			difference -= l.PriceMinor * int64(l.Qty)
			rows = append(rows, append(when(p.MovedAt, s.Zone),
				text(p.TransactionID), strconv.Itoa(int(l.LineNo)), text(l.Name), text(db.OptionNames(l.Options)), text(l.Loc),
				strconv.Itoa(int(l.Qty)), money.Wire(l.PriceMinor), money.Wire(l.PriceMinor*int64(l.Qty)), p.Currency, mode(s.Test),
				string(l.Kind), text(l.Category)))
		}
		if difference != 0 && p.Kind != state.LinkKind {
			rows = append(rows, append(when(p.MovedAt, s.Zone), text(p.TransactionID), "", "Difference accepted", "", "", "1",
				money.Wire(difference), money.Wire(difference), p.Currency, mode(s.Test), "difference", ""))
		}
	}
	return rows, next, len(list), err
}

func (b *Books) refundPage(ctx context.Context, s Span, after place) (rows [][]string, next place, n int, err error) {
	list, err := b.queries.ExportRefundList(ctx, db.ExportRefundListParams{
		ShopCode: s.Shop, TestMode: s.Test, AfterAt: after.at, AfterID: uuid.MustParse(after.id), Before: s.Before, AtMost: perPage,
	})
	next = after
	for _, r := range list {
		rows = append(rows, append(when(r.MovedAt, s.Zone),
			r.RefundID.String(), text(r.TransactionID), string(r.Method), money.Wire(r.AmountMinor), money.Wire(r.GstMinor), r.Currency,
			text(r.Reason), text(r.Lines), text(r.RequestedBy), text(r.GatewayID), mode(s.Test)))
		next = place{r.MovedAt, r.ID.String()}
	}
	return rows, next, len(list), err
}

func (b *Books) disputePage(ctx context.Context, s Span, after place) (rows [][]string, next place, n int, err error) {
	list, err := b.queries.ExportDisputeList(ctx, db.ExportDisputeListParams{
		ShopCode: s.Shop, TestMode: s.Test, AfterAt: after.at, AfterID: uuid.MustParse(after.id), Before: s.Before, AtMost: perPage,
	})
	next = after
	for _, d := range list {
		rows = append(rows, append(when(d.MovedAt, s.Zone),
			text(d.TransactionID), string(d.Kind), string(d.Method), text(d.CardBrand), d.CardLastFour,
			money.Wire(d.AmountMinor), d.Currency, text(d.GatewayID), mode(s.Test)))
		next = place{d.MovedAt, d.ID.String()}
	}
	return rows, next, len(list), err
}

func (b *Books) payoutPage(ctx context.Context, s Span, after place) (rows [][]string, next place, n int, err error) {
	number, err := strconv.ParseInt(after.id, 10, 64)
	if err != nil {
		return nil, after, 0, err
	}
	list, err := b.queries.ExportPayoutList(ctx, db.ExportPayoutListParams{
		ShopCode: s.Shop, TestMode: s.Test, AfterAt: after.at, AfterNumber: number, Before: s.Before, AtMost: perPage,
	})
	next = after
	for _, row := range list {
		p := row.Payout
		rows = append(rows, append(when(p.PaidAt, s.Zone),
			text(p.ID), money.Wire(p.GrossMinor), money.Wire(p.FeesMinor), money.Wire(p.NetMinor), p.Currency,
			strconv.FormatInt(row.Entries, 10), mode(s.Test)))
		next = place{p.PaidAt, strconv.FormatInt(p.Number, 10)}
	}
	return rows, next, len(list), err
}

// when returns the three cells that each row begins with: date, time and zone.
func when(at time.Time, zone *time.Location) []string {
	local := at.In(zone)
	return []string{local.Format(time.DateOnly), local.Format(time.TimeOnly), clock.Name(at, zone)}
}

// text returns a cell for a text that anybody may have typed.
func text(s string) string { return printable.Cell(s) }

// lines returns rows as CSV. Writing to memory does not fail.
func lines(rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	_ = w.WriteAll(rows)
	return b.Bytes()
}
