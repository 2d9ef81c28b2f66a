package staff

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/people/review"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// BankAccounts is the queue of the bank accounts that businesses are paid into, /staff/bank-accounts/{id}. The audit log records each
// look at one that waits, so a decision leads back to the queue.
func BankAccounts(records *compliance.Records) Queue {
	k := Kind{
		Path: "/staff/bank-accounts", Title: "Bank accounts", ToQueue: true, Heads: [3]string{"Business", "Code", "From"},
		States: []State{
			stand(state.AccountWaiting, "To pass on", ui.Warning), stand(state.AccountReturned, "Asked for another", ""),
			stand(state.AccountPassed, "Passed on", ui.Good),
		},
		Waiting: view.Empty{Title: "No account waits", Text: "An account appears here as soon as an owner asks to be paid into it."},
		Other:   view.Empty{Title: "No accounts here", Text: "Nothing fits this filter."},
		Decisions: []ui.Option{
			choice(state.AccountPassed, "The acquirer has it", "Once the acquirer confirms it. The business then reads that it is paid there"),
			choice(state.AccountReturned, "Ask for another", "The owners see your reason, and can give another account"),
		},
		Hint:      "The owners read this by email. It may stay empty if the acquirer has it. Do not write account numbers here.",
		Overtaken: "Somebody else decided this, or an owner gave another account",
		Actions: map[string]string{
			"payout account waiting": "asked to be paid into an account", "payout account passed": "recorded that the acquirer has it",
			"payout account returned": "asked for another",
		},
		Looks: []Look{{"payout account viewed", "the whole account number"}},
	}
	k.List = func(ctx context.Context, p Part) (Listing, error) {
		page, more, err := records.AccountQueue(ctx, state.Account(p.State), p.Page)
		return list(ctx, page, more, err, func(one db.PayoutAccountListRow) view.Row {
			return view.Row{
				URL: k.Path + "/" + one.ID.String(), Name: one.Business, What: one.ShopCode, From: one.AskedBy, At: one.AskedAt,
				State: stateOf(k, one.State),
			}
		}, records.AccountCounts)
	}
	k.Load = func(r *http.Request) (*Case, error) {
		id, err := uuid.Parse(chi.URLParam(r, "id"))
		if err != nil {
			return nil, compliance.ErrMissing
		}
		v, err := records.ReviewAccount(r.Context(), session.Who(r).Email, id)
		if err != nil {
			return nil, err
		}
		c := &Case{Path: id.String(), State: string(v.State()), History: v.History, Case: view.Case{
			What: "Account to be paid into", Title: v.Business, Since: "Asked", At: v.AskedAt, By: v.AskedBy, Number: v.ShopCode,
			Facts: []view.Fact{{Name: "Account name", Value: v.Name}},
		}}
		if v.State() != state.AccountWaiting {
			c.Facts = append(c.Facts, view.Fact{Name: "BSB and account number", Value: v.Shown()})
			return c, nil
		}
		c.Facts = append(c.Facts, view.Fact{Name: "BSB", Value: v.BSB}, view.Fact{Name: "Account number", Value: v.Number})
		if v.Paid != nil {
			c.Facts = append(c.Facts, view.Fact{Name: "Paid into until then", Value: v.Paid.Name + ", " + v.Paid.Shown()})
		}
		return c, nil
	}
	k.Decide = func(r *http.Request, d Decision) error {
		id, err := uuid.Parse(chi.URLParam(r, "id"))
		if err != nil {
			return compliance.ErrMissing
		}
		return records.DecideAccount(r.Context(), id, review.As[state.Account](d.Decision))
	}
	return Queue{k}
}
