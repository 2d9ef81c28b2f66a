package staff

import (
	"cmp"
	"context"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/compliance"
	"forecourt/handlers/session"
	rules "forecourt/internal/onboarding/compliance"
	"forecourt/internal/people/review"
	peopleview "forecourt/views/compliance"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// lostName stands for the name of a person whose details no key opens any more.
const lostName = "Details that cannot be opened"

// Compliance is the queue of people's identity details, /staff/compliance/{id}/{number}. The audit log records each look at a person, so a
// decision leads back to the queue rather than to the person again.
func Compliance(records *rules.Records) Queue {
	k := Kind{
		Path: "/staff/compliance", Title: "Identities", Styles: []string{"compliance.css"}, ToQueue: true,
		States: []State{
			stand(state.PersonWaiting, "Waiting", ""), stand(state.PersonReturned, "Asked for more", ui.Warning),
			stand(state.PersonAccepted, "Accepted", ui.Good),
		},
		Outside: []State{stand(state.PersonOpen, "Not complete", "")},
		Waiting: view.Empty{Title: "Nobody is waiting for you", Text: "People appear here as soon as their details are complete."},
		Other:   view.Empty{Title: "Nobody here", Text: "Nobody fits this filter."},
		Decisions: []ui.Option{
			choice(state.PersonAccepted, "Accept", ""),
			choice(state.PersonReturned, "Ask for more", "The applicant can change the details, with your reason on top"),
		},
		Hint:      "The applicant reads this. It may stay empty when you accept. Do not write document numbers here: it is sent by email.",
		Overtaken: "Somebody else decided, or the applicant changed something",
		Actions: map[string]string{
			"identity asked for": "wants this person to own the business",
			"identity accepted":  "accepted it", "identity returned": "asked for more",
			"licence pictures deleted": "deleted the pictures of the licence, which were kept for long enough",
		},
		Looks: []Look{
			{"identity viewed", "the details"}, {"licence front viewed", "the front of the licence"},
			{"licence back viewed", "the back of the licence"},
		},
	}
	k.List = func(ctx context.Context, p Part) (Listing, error) {
		page, more, err := records.Queue(ctx, state.Person(p.State), p.Page)
		return list(ctx, page, more, err, func(person rules.Queued) view.Row {
			return view.Row{
				URL:  k.Path + "/" + person.ID + "/" + strconv.Itoa(person.Number),
				Name: cmp.Or(person.Name, lostName), What: person.Business, From: person.ID,
				At: person.ChangedAt, State: stateOf(k, person.State),
			}
		}, records.Counts)
	}
	k.Load = func(r *http.Request) (*Case, error) {
		staff, _ := session.Signed(r)
		id, number := personOf(r)
		v, err := records.Review(r.Context(), staff.Email, id, number)
		if err != nil {
			return nil, err
		}
		var facts []view.Fact
		if v.Successor != "" {
			facts = append(facts, view.Fact{Name: "Will own the business", Value: v.Successor})
		}
		for _, a := range peopleview.Answers(v.Person) {
			facts = append(facts, view.Fact(a))
		}
		return &Case{
			Path: v.ID + "/" + strconv.Itoa(v.Number), State: string(v.State), Version: v.Revision, History: v.History,
			Case: view.Case{
				What: v.Business, Title: v.Name, Since: "Changed", At: v.ChangedAt, Number: v.ID,
				Lacking: peopleview.StillToAdd(v.Person), Facts: facts, Body: peopleview.Pictures(v.Person, k.Path+"/"+v.ID),
			},
		}, nil
	}
	k.Decide = func(r *http.Request, d Decision) error {
		id, number := personOf(r)
		return records.Decide(r.Context(), id, number, review.As[state.Person](d.Decision))
	}
	return Queue{k}
}

func personOf(r *http.Request) (id string, number int) {
	return chi.URLParam(r, "id"), compliance.Number(chi.URLParam(r, "number"))
}
