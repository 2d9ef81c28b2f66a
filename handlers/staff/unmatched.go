package staff

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/db"
	"forecourt/handlers/session"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/settlement"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// unmatchedOpen and unmatchedDone are the states of a case of unmatched money.
const (
	unmatchedOpen = "open"
	unmatchedDone = "done"
)

// kindNames names the kinds of entries of the gateway's ledger.
var kindNames = map[string]string{
	string(gateway.KindCapture): "Charge", string(gateway.KindRefund): "Refund", string(gateway.KindOpen): "Open payment",
	string(gateway.KindDispute): "Dispute", string(gateway.KindPayout): "Payout",
}

// moneyEnds are the decisions on a difference.
var moneyEnds = map[payment.End]ui.Option{
	payment.EndBook:      choice(payment.EndBook, "Book it", "What the gateway lists counts here from now on, at its time and amount"),
	payment.EndCorrect:   choice(payment.EndCorrect, "Correct it", "The amount here becomes the gateway’s"),
	payment.EndGivenBack: choice(payment.EndGivenBack, "Give it back", "The gateway refunds the charge; the books have both"),
	payment.EndAccept: choice(
		payment.EndAccept, "Accept the difference",
		"Both sides stay as they are for good: what only one side has never counts on the other. This no longer holds the payment",
	),
}

// Unmatched is the queue of what the gateway's ledger and our books have differently, /staff/unmatched/{id}. The id is a transaction's or,
// of an entry about none, the entry's.
func Unmatched(rules *settlement.Settlement, payments *payment.Payments) Queue {
	k := Kind{
		Path: "/staff/unmatched", Title: "Unmatched money",
		States:  []State{stand(unmatchedOpen, "Open", ui.Warning)},
		Outside: []State{stand(unmatchedDone, "Nothing differs", ui.Good)},
		Waiting: view.Empty{
			Title: "Nothing is unmatched", Text: "What the gateway lists and we do not know, such as a second charge, appears here within minutes.",
		},
		Hint:      "For the audit log, and for all staff: what it was, and what was done about it.",
		Overtaken: "Somebody else decided this, or it was cleared up by itself",
		Actions: map[string]string{
			"money book": "booked it", "money correct": "corrected the amount", "money given_back": "decided to give it back",
			"money accept": "accepted the difference", "decide given_back": "asked the gateway to refund it",
		},
	}
	k.List = func(ctx context.Context, p Part) (list Listing, err error) {
		cases, more, err := rules.Cases(ctx, p.Page)
		if err != nil {
			return list, err
		}
		for _, c := range cases {
			list.Rows = append(list.Rows, view.Row{
				URL: k.Path + "/" + c.Subject, Name: c.Shop, What: amountOf(c.AmountMinor, c.Currency) + mode(c.TestMode), From: sentence(c.Says),
				At: c.Since, State: stateOf(k, unmatchedOpen),
			})
		}
		count, err := rules.CaseCount(ctx)
		return Listing{list.Rows, more, map[string]int{unmatchedOpen: count}}, err
	}
	k.Load = func(r *http.Request) (*Case, error) {
		subject := chi.URLParam(r, "id")
		m, err := payments.MoneyCase(r.Context(), subject)
		if err != nil {
			return nil, err
		}
		c := &Case{Path: subject, State: unmatchedDone, History: m.History, Case: view.Case{What: "Unmatched money"}}
		if t := m.Transaction; t != nil {
			amount := cmp.Or(t.Position.CapturedMinor, t.Position.AskedMinor)
			c.Title, c.Email = money.Label(amount, t.Transaction.Currency)+" at "+t.ShopName, t.ShopMail
			c.Since, c.At = "Made", t.Transaction.CreatedAt
			if t.Transaction.DifferSince != nil {
				c.Since, c.At = "Found", *t.Transaction.DifferSince
			}
			c.Facts = transactionFacts(t)
		} else {
			c.Since = "Found"
			c.Title, c.At = kindNames[m.Entry.Kind]+" of "+amountOf(m.Entry.AmountMinor, m.Entry.Currency), m.Entry.ListedAt
		}
		for _, e := range m.Entries {
			c.Facts = append(c.Facts, view.Fact{Name: "The gateway lists", Value: entryText(e)})
		}
		if len(m.Differences) == 0 {
			return c, nil
		}
		c.State, c.Says = unmatchedOpen, m.Seen()
		var problems []view.Fact
		for _, d := range m.Differences {
			problems = append(problems, view.Fact{Name: "Problem", Value: sentence(d.Says)})
		}
		if len(problems) > 1 {
			problems = append(problems, view.Fact{Name: "This decision", Value: "Is about the first problem. The others follow"})
		}
		if m.Transaction != nil {
			problems = append(problems, view.Fact{Name: "Until it is decided", Value: "The payment can be neither paid nor refunded"})
		}
		c.Facts = append(problems, c.Facts...)
		if m.Undecided() {
			first := view.Fact{Name: "First", Value: "Decide the payment itself, at Payments: approve it if it was charged. Then book this here"}
			c.Facts = append([]view.Fact{first}, c.Facts...)
		}
		for _, end := range m.Ends {
			c.Undo = append(c.Undo, moneyEnds[end])
		}
		return c, nil
	}
	k.Decide = func(r *http.Request, d Decision) error {
		// If the browser goes away, a charge that is to be given back must not be left without its refund.
		err := payments.DecideMoney(context.WithoutCancel(r.Context()), chi.URLParam(r, "id"), payment.Decision{
			End: payment.End(d.State), By: d.By, Reason: d.Reason, Seen: d.Says, Proof: session.Who(r).Proof,
		})
		switch {
		case errors.Is(err, payment.ErrNotBooked):
			return Refusal("The transaction does not take it: it is paid or expired by now, or more is refunded than that. Nothing has changed.")
		case errors.Is(err, payment.ErrOtherRefund):
			return Refusal("The gateway has refunded a part of it already. Refund the rest there, too: the difference then ends by itself.")
		case errors.Is(err, payment.ErrNotOurs):
			return Refusal("No payment here can be this charge. Give it back at the gateway itself, then accept the difference. " +
				"Nothing has changed.")
		case errors.Is(err, payment.ErrDisputed):
			return Refusal("The payer’s bank holds this charge or has taken it back, so it must not be given back as well. Nothing has changed.")
		case errors.Is(err, payment.ErrNoCaptureID), errors.Is(err, payment.ErrOtherCapture):
			return Refusal("The gateway’s ledger names no transaction id of its own for this charge. Give it back at the gateway itself: " +
				"the difference then ends by itself. Nothing has changed.")
		}
		return refusal(d, err)
	}
	return Queue{k}
}

// amountOf returns an amount of the ledger. It is 0 if the gateway's is none, or not readable.
func amountOf(minor int64, currency string) string {
	if minor == 0 {
		return "no readable amount"
	}
	return money.Label(minor, currency)
}

// sentence returns a text with a capital letter.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func transactionFacts(row *db.CaseTransactionRow) []view.Fact {
	t, p := row.Transaction, row.Position
	facts := []view.Fact{{Name: "Transaction", Value: t.ID}, {Name: "Here", Value: string(t.Status) + mode(t.TestMode)}}
	if t.PaidAt != nil {
		facts = append(facts, view.Fact{Name: "Paid", Value: money.Label(p.CapturedMinor, t.Currency) + ", " + view.When(*t.PaidAt)})
	}
	for _, f := range []struct {
		name  string
		minor int64
	}{
		{"Refunded", p.RefundedMinor}, {"Being refunded", p.UnderWayMinor}, {"Disputed", p.DisputedMinor}, {"Lost", p.LostMinor},
		{"Returned by banks", p.ReturnedMinor}, {"Kept", p.KeptMinor}, {"Tax in it", p.GstMinor}, {"Paid out", p.PaidOutMinor},
		{"Fees", p.FeesMinor},
	} {
		if f.minor != 0 {
			facts = append(facts, view.Fact{Name: f.name, Value: money.Label(f.minor, t.Currency)})
		}
	}
	return facts
}

// entryText describes an entry of a gateway's ledger.
func entryText(e db.LedgerEntry) string {
	words := []string{strings.ToLower(kindNames[e.Kind]), string(e.State), amountOf(e.AmountMinor, e.Currency)}
	if e.At != nil {
		words = append(words, view.When(*e.At))
	}
	text := strings.Join(strings.Fields(strings.Join(words, " ")), " ") + ", reference " + e.Reference
	if e.Transactionid != "" {
		text += ", " + e.Transactionid
	}
	return text
}
