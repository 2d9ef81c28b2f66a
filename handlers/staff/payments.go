package staff

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/people/review"
	"forecourt/views/receipt"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// waits is the state of a payment that waits for a person, whatever the state of its attempt.
const waits = "waiting"

// askWithin is how long the page waits for the gateway.
const askWithin = 3 * time.Second

// noPayment is shown when no payment is waiting.
var noPayment = view.Empty{
	Title: "No payment is waiting for you", Text: "Payments without an outcome appear here after " + clock.Span(payment.ManualAfter) + ".",
}

// paymentEnds are the decisions on a payment.
var paymentEnds = []ui.Option{
	choice(payment.EndApproved, "Approved", "What the gateway captured is final"),
	choice(payment.EndGivenBack, "Refund", "All that the gateway captured is refunded. The payment waits here until that is done"),
	choice(
		payment.EndNotCharged, "Not charged",
		"No money moved. Unless the gateway confirms it, nobody can pay this again: the payer needs a new order or link",
	),
}

// Payments is the queue of payments without an outcome, /staff/payments/{id}. A person can overrule the gateway once they have seen what it
// says.
func Payments(rules *payment.Payments) Queue {
	k := Kind{
		Path: "/staff/payments", Title: "Payments to decide", Decisions: paymentEnds,
		States: []State{stand(waits, "Waiting", ui.Warning)},
		Outside: []State{
			stand(state.AttemptSubmitting, "Under way", ""), stand(state.AttemptRedirected, "Under way", ""),
			stand(state.AttemptUnknown, "Under way", ""),
			stand(state.AttemptApproved, "Approved", ui.Good), stand(state.AttemptDeclined, "Declined", ""),
			stand(state.AttemptNotCharged, "Not charged", ""),
		},
		Waiting:   noPayment,
		Other:     noPayment,
		Hint:      "For the audit log, and for all staff: they get an email about your decision.",
		Overtaken: "Somebody else decided this payment, or the gateway answered",
		Actions: map[string]string{
			"decide approved": "approved it", "decide given_back": "decided to refund it", "decide not_charged": "decided that nothing was charged",
			"decide against the gateway": "decided against the gateway", "pay": "started the payment",
		},
	}
	k.List = func(ctx context.Context, p Part) (list Listing, err error) {
		all, err := rules.Undecided(ctx)
		if err != nil {
			return list, err
		}
		skipped, atMost := review.Window(p.Page)
		rest := all[min(int(skipped), len(all)):]
		page, more := review.Page(rest[:min(int(atMost), len(rest))])
		for _, a := range page {
			list.Rows = append(list.Rows, view.Row{
				URL: k.Path + "/" + a.ID.String(), Name: a.ShopName, What: money.Label(a.AmountMinor, a.Currency) + mode(a.TestMode),
				From: rules.Why(a.Gateway, a.ErrorMsg, a.CreatedAt), At: a.CreatedAt, State: stateOf(k, waits),
			})
		}
		return Listing{list.Rows, more, map[string]int{waits: len(all)}}, nil
	}
	k.Load = func(r *http.Request) (*Case, error) {
		id, err := uuid.Parse(chi.URLParam(r, "id"))
		if err != nil {
			return nil, fault.New(fault.NotFound, "no such payment")
		}
		a, err := rules.Case(r.Context(), id)
		if err != nil {
			return nil, err
		}
		c := &Case{Path: id.String(), State: string(a.State), History: slices.Concat(
			[]review.Event{{At: a.CreatedAt, Actor: "The customer", Action: "pay"}}, a.History,
		), Case: view.Case{
			What: "Payment", Title: money.Label(a.AmountMinor, a.Currency) + " at " + a.ShopName, Since: "Started",
			At: a.CreatedAt, Email: a.ShopMail, Facts: paymentFacts(a),
		}}
		if !a.Waits {
			return c, nil
		}
		c.State = waits
		answer, err := asked(r.Context(), rules, id)
		says := noAnswer
		if err == nil {
			says = answer.Says()
		}
		c.Says = says
		c.Facts = append([]view.Fact{{Name: "The gateway says", Value: says}, {Name: "Why it waits", Value: a.Why}}, c.Facts...)
		if answer.Owner != "" || answer.TransactionID == "" && a.Transactionid == nil {
			c.Extra = &ui.Field{
				ID: extra, Name: extra, Label: "The gateway’s transaction id", Autocomplete: "off", MaxLength: 200,
				Hint: "The gateway has not named it. Look it up there if money was captured: without it nothing can be refunded.",
			}
			if answer.Owner != "" {
				c.Extra.Hint = "The one that the gateway named belongs to another payment. Look up the right " +
					"one there: without it nothing can be refunded."
			}
		}
		return c, nil
	}
	k.Decide = func(r *http.Request, d Decision) error {
		id, err := uuid.Parse(chi.URLParam(r, "id"))
		if err != nil {
			return fault.New(fault.NotFound, "no such payment")
		}
		// If the browser goes away, a payment that is to be refunded must not be left approved.
		return refusal(d, rules.Decide(context.WithoutCancel(r.Context()), payment.Decision{
			Of: id, End: payment.End(d.State), By: d.By, Reason: d.Reason, Seen: seen(r, d), TransactionID: d.Extra,
		}))
	}
	return Queue{k}
}

// asked asks the gateway about a payment, for at most askWithin.
func asked(ctx context.Context, rules *payment.Payments, id uuid.UUID) (payment.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	return rules.Ask(ctx, id)
}

// noAnswer is shown if the gateway does not answer in time.
const noAnswer = "no answer just now"

// seen returns what the person who decides has seen the gateway say: nothing counts until they prove who they are, because a decision
// against it moves money on one person's word.
func seen(r *http.Request, d Decision) string {
	if session.Prove(r) != nil {
		return ""
	}
	return d.Says
}

// refusal says why a decision was not recorded.
func refusal(d Decision, err error) error {
	against := (*payment.AgainstError)(nil)
	switch {
	case errors.As(err, &against) && against.Says == d.Says:
		return account.ErrUnproved
	case errors.As(err, &against):
		return &Overruled{against.Says}
	case errors.Is(err, payment.ErrNotManual), errors.Is(err, payment.ErrRefundDecided):
		return review.ErrDecided
	case errors.Is(err, payment.ErrCaptureID):
		return Problem("The gateway names another transaction id, or this is not a valid one")
	case errors.Is(err, payment.ErrNoCaptureID):
		return Problem("Enter the id: nothing can be refunded without it")
	case errors.Is(err, payment.ErrOtherCurrency):
		return Refusal("The gateway captured another currency, which cannot be approved. It can be " +
			"refunded once the gateway says how much it captured.")
	case errors.Is(err, payment.ErrGiveBackDeclined):
		return Refusal("The gateway declined to refund it. The payment still waits for a decision.")
	case errors.Is(err, payment.ErrOtherRefund):
		return Refusal("It is being refunded already. See “Refunds not done”.")
	case errors.Is(err, payment.ErrOtherCapture):
		return Problem("That is the transaction id of another payment")
	case errors.Is(err, payment.ErrCaptured):
		return Refusal("The gateway says that it has captured the money. Approve the payment or refund it. " +
			"If you refunded it at the gateway itself, its ledger does not show that yet.")
	case errors.Is(err, payment.ErrElsewhere):
		return Refusal("This was sent to a gateway that is not set up, so it cannot be refunded. Nothing has changed.")
	case errors.Is(err, payment.ErrRestored):
		return Refusal("The server was restored from a backup and has not read the gateway’s ledger yet, " +
			"so nothing can be refunded. Nothing has changed.")
	case errors.Is(err, payment.ErrDisputed):
		return Refusal("The payer’s bank holds this money or has taken it, so a refund would return it twice. Nothing has changed.")
	case errors.Is(err, payment.ErrInQuestion):
		return Refusal("The gateway’s ledger and our books differ about it. Decide that in “Unmatched money” first. Nothing changed.")
	case errors.Is(err, payment.ErrGivingBack):
		return nil // the case shows it
	}
	return err
}

func paymentFacts(a *payment.Case) []view.Fact {
	facts := []view.Fact{
		{Name: "Amount", Value: money.Label(a.AmountMinor, a.Currency) + mode(a.TestMode)},
		{Name: "Paid with", Value: receipt.CardText(a.Method, a.CardBrand, a.CardLastFour)},
		{Name: "Transaction", Value: a.TransactionID},
		{Name: "Attempt", Value: a.ID.String()},
	}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, view.Fact{Name: name, Value: value})
		}
	}
	if a.ToldMinor != nil {
		named := money.Label(*a.ToldMinor, cmp.Or(a.ToldCurrency, a.Currency))
		if a.ToldCurrency != "" && a.ToldCurrency != a.Currency {
			named += ". Another currency cannot be accepted, only refunded in full."
		}
		add("The gateway named", named)
	}
	if a.CapturedMinor != nil {
		add("Captured", money.Label(*a.CapturedMinor, a.Currency))
	}
	if a.Transactionid != nil {
		add("At the gateway", *a.Transactionid)
	}
	add("Code", a.Code)
	if a.Gateway != nil {
		add("Gateway", *a.Gateway)
	}
	add("The business’s reference", a.ClientRef)
	add("Description", a.Description)
	if a.SettledAt != nil {
		add("Ended", view.When(*a.SettledAt))
	}
	return facts
}
