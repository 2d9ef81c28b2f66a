package staff

import (
	"context"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/review"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// refundEnds are the decisions on a refund.
var refundEnds = []ui.Option{
	choice(payment.EndDone, "Done", "The gateway made the refund"),
	choice(payment.EndDeclined, "Declined", "No money was refunded. It can be refunded again"),
}

// Refunds is the queue of refunds that are not done, /staff/refunds/{id}. A person can overrule the gateway once they have seen what it
// says.
func Refunds(rules *payment.Payments) Queue {
	k := Kind{
		Path: "/staff/refunds", Title: "Refunds not done", Decisions: refundEnds,
		States: []State{
			stand(payment.RefundsWaiting, "Waiting", ui.Warning), stand(payment.RefundsUnderWay, "Under way", ""),
			stand(payment.RefundsDeclined, "Declined", ui.Warning),
		},
		Outside: []State{stand(state.RefundDone, "Done", ui.Good)},
		Waiting: view.Empty{
			Title: "No refund is waiting for you",
			Text: "Refunds appear here if the gateway has not answered for " + clock.Span(payment.ManualAfter) + ", has not decided for " +
				clock.Spelled(payment.PendingAfter) + ", or answered something that cannot be recorded.",
		},
		Other:     view.Empty{Title: "No refunds here", Text: "Nothing fits this filter."},
		Hint:      "For the audit log, and for all staff: they get an email about your decision.",
		Overtaken: "Somebody else decided this refund, or the gateway answered",
		Actions: map[string]string{
			"decide refund done": "decided that it was done", "decide refund declined": "decided that it was declined",
			"decide against the gateway": "decided against the gateway", "refund": "asked for the refund",
		},
	}
	k.List = func(ctx context.Context, p Part) (list Listing, err error) {
		rows, more, counts, err := rules.RefundQueue(ctx, payment.RefundPart(p.State), p.Page)
		if err != nil {
			return list, err
		}
		list.More, list.Counts = more, map[string]int{}
		for part, n := range counts {
			list.Counts[string(part)] = n
		}
		for _, r := range rows {
			from := rules.WhyRefund(r.State, r.Gateway, r.ErrorMsg, r.CreatedAt)
			if r.State == state.RefundDeclined {
				from = "Asked for by " + r.RequestedBy
			}
			list.Rows = append(list.Rows, view.Row{
				URL: k.Path + "/" + r.ID.String(), Name: r.ShopName, What: money.Label(r.AmountMinor, r.Currency) + mode(r.TestMode),
				From: from, At: r.CreatedAt, State: stateOf(k, refundPart(r.State, r.Late)),
			})
		}
		return list, nil
	}
	k.Load = func(r *http.Request) (*Case, error) {
		id, err := uuid.Parse(chi.URLParam(r, "id"))
		if err != nil {
			return nil, fault.New(fault.NotFound, "no such refund")
		}
		b, err := rules.RefundCase(r.Context(), id)
		if err != nil {
			return nil, err
		}
		c := &Case{Path: id.String(), State: refundPart(b.State, b.Waits), History: slices.Concat(
			[]review.Event{{At: b.CreatedAt, Actor: b.RequestedBy, Action: "refund"}}, b.History,
		), Case: view.Case{
			What: "Refund", Title: money.Label(b.AmountMinor, b.Currency) + " from " + b.ShopName, Since: "Asked for",
			At: b.CreatedAt, Email: b.ShopMail, Facts: refundFacts(b),
		}}
		if b.State != state.RefundDone && b.State != state.RefundDeclined {
			c.Facts = append([]view.Fact{
				{Name: "In the gateway’s ledger", Value: ledgerSays(r.Context(), rules, b)}, {Name: "Why it is not done", Value: b.Why},
			}, c.Facts...)
		}
		return c, nil
	}
	k.Decide = func(r *http.Request, d Decision) error {
		id, err := uuid.Parse(chi.URLParam(r, "id"))
		if err != nil {
			return fault.New(fault.NotFound, "no such refund")
		}
		return refusal(d, rules.DecideRefund(context.WithoutCancel(r.Context()), payment.Decision{
			Of: id, End: payment.End(d.State), By: d.By, Reason: d.Reason, Seen: seen(r, d),
		}))
	}
	return Queue{k}
}

// refundPart returns the part of the queue that a refund is in. waits reports whether a person may decide it.
func refundPart(s state.Refund, waits bool) string {
	switch {
	case s == state.RefundDone, s == state.RefundDeclined:
		return string(s)
	case waits:
		return string(payment.RefundsWaiting)
	}
	return string(payment.RefundsUnderWay)
}

// ledgerSays says whether the gateway's ledger lists a refund.
func ledgerSays(ctx context.Context, rules *payment.Payments, b *payment.RefundCase) string {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	says, err := rules.LookForRefund(ctx, b)
	if err != nil {
		return noAnswer
	}
	return says
}

func refundFacts(b *payment.RefundCase) []view.Fact {
	facts := []view.Fact{
		{Name: "Refund", Value: money.Label(b.AmountMinor, b.Currency) + mode(b.TestMode)},
		{Name: "Transaction", Value: b.TransactionID},
		{Name: "Its reference", Value: b.ID.String()},
	}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, view.Fact{Name: name, Value: value})
		}
	}
	if b.AttemptID == nil { // the transaction is paid, in the same currency
		add("Paid", money.Label(b.PaidMinor, b.Currency))
	}
	add("Payment at the gateway", b.Transactionid)
	if b.Refundid != nil {
		add("Refund at the gateway", *b.Refundid)
	}
	if b.Gateway != nil {
		add("Gateway", *b.Gateway)
	}
	add("The business’s reference", b.ClientRef)
	add("Description", b.Description)
	if b.SettledAt != nil {
		add("Ended", view.When(*b.SettledAt))
	}
	return facts
}
