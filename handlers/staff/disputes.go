package staff

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/views/receipt"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// disputesOnPage is how many disputes a page of the queue lists.
const disputesOnPage = 50

// Disputes shows the disputed payments, /staff/disputes/{id}. Banks decide them, so staff only look.
func Disputes(queries *db.Queries) Queue {
	k := Kind{
		Path: "/staff/disputes", Title: "Disputes",
		States: []State{
			stand(state.DisputeOpened, "Open", ui.Warning), stand(state.DisputeWon, "Won", ui.Good), stand(state.DisputeLost, "Lost", ui.Warning),
		},
		Waiting: view.Empty{Title: "No dispute is open", Text: "Payments that cardholders dispute appear here within minutes."},
		Other:   view.Empty{Title: "No disputes here", Text: "Nothing fits this filter."},
	}
	k.List = func(ctx context.Context, p Part) (list Listing, err error) {
		skipped := int32(min(p.Page-1, 1_000_000)) * disputesOnPage //nolint:gosec // below 2^31
		rows, err := queries.DisputeList(ctx, p.State, skipped, disputesOnPage+1)
		if err != nil {
			return list, err
		}
		for _, d := range rows[:min(len(rows), disputesOnPage)] {
			list.Rows = append(list.Rows, view.Row{
				URL: k.Path + "/" + d.AttemptID.String(), Name: d.ShopName, What: money.Label(d.AmountMinor, d.Currency) + mode(d.TestMode),
				From: answerBy(d.State, d.DueAt), At: d.OpenedAt, State: stateOf(k, d.State),
			})
		}
		counts, err := queries.DisputeCount(ctx)
		return Listing{list.Rows, len(rows) > disputesOnPage, map[string]int{
			string(state.DisputeOpened): int(counts.Opened), string(state.DisputeWon): int(counts.Won), string(state.DisputeLost): int(counts.Lost),
		}}, err
	}
	k.Load = func(r *http.Request) (*Case, error) {
		id, err := uuid.Parse(chi.URLParam(r, "id"))
		if err != nil {
			return nil, fault.New(fault.NotFound, "no such dispute")
		}
		d, err := queries.DisputeGet(r.Context(), id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, fault.New(fault.NotFound, "no such dispute")
		}
		if err != nil {
			return nil, err
		}
		refunds, err := queries.RefundDoneList(r.Context(), d.TransactionID)
		if err != nil {
			return nil, err
		}
		return &Case{Path: id.String(), State: string(d.State), Case: view.Case{
			What: "Disputed payment", Title: money.Label(d.AmountMinor, d.Currency) + " at " + d.ShopName, Since: "Disputed",
			At: d.OpenedAt, Email: d.ShopMail, Facts: disputeFacts(d, refunds),
		}}, nil
	}
	return Queue{k}
}

func disputeFacts(d db.DisputeGetRow, refunds []db.RefundDoneListRow) []view.Fact {
	facts := []view.Fact{
		{Name: "Paid", Value: money.Label(d.Position.CapturedMinor, d.Currency) + mode(d.TestMode)},
		{Name: "Refunded", Value: money.Label(d.Position.RefundedMinor, d.Currency)},
		{Name: "Kept", Value: money.Label(d.Position.KeptMinor, d.Currency)},
		{Name: "Paid with", Value: receipt.CardText(d.Method, d.CardBrand, d.CardLastFour)},
		{Name: "Transaction", Value: d.TransactionID},
		{Name: "Attempt", Value: d.AttemptID.String()},
	}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, view.Fact{Name: name, Value: value})
		}
	}
	moment := func(name string, t *time.Time) {
		if t != nil {
			add(name, view.When(*t))
		}
	}
	if d.Transactionid != nil {
		add("At the gateway", *d.Transactionid)
	}
	add("The business’s reference", d.ClientRef)
	add("Description", d.Description)
	for _, r := range refunds {
		add("Refunded on "+view.When(r.SettledAt), money.Label(r.AmountMinor, r.Currency)+", refund "+r.Name)
	}
	moment("Paid on", d.PaidAt)
	if d.State == state.DisputeOpened {
		moment("Answer by", d.DueAt)
	}
	moment("Decided", d.EndedAt)
	add("Deducted from payout", d.PayoutID)
	return facts
}

func answerBy(at state.Dispute, due *time.Time) string {
	if at != state.DisputeOpened || due == nil {
		return ""
	}
	return "Answer by " + clock.Day(*due, view.Zone())
}

func mode(test bool) string {
	if test {
		return " (test)"
	}
	return ""
}
