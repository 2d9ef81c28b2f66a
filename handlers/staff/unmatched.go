package staff

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/people/review"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// These are the states of an entry that matches nothing.
const (
	unmatchedOpen   = "open"
	unmatchedClosed = "closed"
)

// kindNames names the kinds of entries of the gateway's ledger.
var kindNames = map[string]string{
	string(gateway.KindCapture): "Charge", string(gateway.KindRefund): "Refund", string(gateway.KindOpen): "Open payment",
	string(gateway.KindDispute): "Dispute", string(gateway.KindPayout): "Payout",
}

// Unmatched is the queue of entries of the gateway's ledger that match nothing here, /staff/unmatched/{id}. The id in the address is the
// kind and the reference, encoded: a reference may hold anything.
func Unmatched(rules *settlement.Settlement) Queue {
	k := Kind{
		Path: "/staff/unmatched", Title: "Unmatched money", ToQueue: true,
		States: []State{stand(unmatchedOpen, "Open", view.Bad), stand(unmatchedClosed, "Closed", view.Good)},
		Waiting: view.Empty{
			Title: "Nothing is unmatched", Text: "What the gateway lists and we do not know, such as a second charge, appears here within minutes.",
		},
		Other:     view.Empty{Title: "Nothing here", Text: "Nothing fits this filter."},
		Decisions: []ui.Option{{Value: unmatchedClosed, Label: "Close it", Hint: "It is not open any more, and holds no payment"}},
		Hint:      "For the audit log: what it was, and what was done about it.",
		Overtaken: "Somebody else closed this, or it was cleared up by itself",
		Actions:   map[string]string{"close unmatched": "closed it"},
	}
	k.List = func(ctx context.Context, p Part) (list Listing, err error) {
		entries, more, err := rules.Unmatched(ctx, p.State, p.Page)
		if err != nil {
			return list, err
		}
		for _, e := range entries {
			list.Rows = append(list.Rows, view.Row{
				URL: k.Path + "/" + encoded(e.Kind+" "+e.Reference), Name: kindNames[e.Kind], What: amountOf(e), From: sentence(e.Problem),
				At: e.CreatedAt, State: stateOf(k, standOf(e)),
			})
		}
		waiting, done, err := rules.UnmatchedCounts(ctx)
		return Listing{list.Rows, more, map[string]int{unmatchedOpen: waiting, unmatchedClosed: done}}, err
	}
	k.Load = func(r *http.Request) (*Case, error) {
		kind, reference, err := unmatchedID(r)
		if err != nil {
			return nil, err
		}
		e, history, err := rules.UnmatchedEntry(r.Context(), kind, reference)
		if err != nil {
			return nil, err
		}
		return &Case{Path: encoded(kind + " " + reference), State: standOf(e), History: history, Case: view.Case{
			What: "Unmatched entry of the gateway’s ledger", Title: kindNames[e.Kind] + " of " + amountOf(e),
			Since: "Found", At: e.CreatedAt,
			Facts: unmatchedFacts(e),
		}}, nil
	}
	k.Decide = func(r *http.Request, d Decision) error {
		kind, reference, err := unmatchedID(r)
		if err != nil {
			return err
		}
		reason, err := review.Check([]review.Choice[string]{{State: unmatchedClosed, Why: "Say why"}}, d.State, d.Reason)
		if err != nil {
			return err
		}
		return rules.CloseUnmatched(r.Context(), kind, reference, d.By, reason)
	}
	return Queue{k}
}

func unmatchedID(r *http.Request) (kind, reference string, err error) {
	id, err := base64.RawURLEncoding.DecodeString(chi.URLParam(r, "id"))
	kind, reference, found := strings.Cut(string(id), " ")
	if err != nil || !found {
		return "", "", fault.New(fault.NotFound, "no such entry")
	}
	return kind, reference, nil
}

func standOf(e db.UnmatchedMovement) string {
	if e.ClosedAt != nil {
		return unmatchedClosed
	}
	return unmatchedOpen
}

// amountOf returns an entry's amount. It is 0 if the gateway's is none, or not readable.
func amountOf(e db.UnmatchedMovement) string {
	if e.AmountMinor == 0 {
		return "no readable amount"
	}
	return money.Label(e.AmountMinor, e.Currency)
}

// sentence returns a text with a capital letter.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func unmatchedFacts(e db.UnmatchedMovement) []view.Fact {
	facts := []view.Fact{{Name: "Problem", Value: sentence(e.Problem)}, {Name: "Moved", Value: view.When(e.MovedAt)}}
	for _, f := range []view.Fact{
		{Name: "Transaction", Value: e.TrxID}, {Name: "Reference", Value: e.Reference}, {Name: "At the gateway", Value: e.Transactionid},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	held := "A payment that it names can be neither paid nor refunded"
	if e.Kind == string(gateway.KindDispute) {
		held = "A payment that it names cannot be refunded"
	}
	if e.Kind != string(gateway.KindPayout) && e.ClosedAt == nil {
		facts = append(facts, view.Fact{Name: "Until it is closed", Value: held})
	}
	return facts
}
