package staff

import (
	"context"
	"net/http"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"forecourt/db"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/people/review"
	"forecourt/internal/shop/shop"
	formview "forecourt/views/forms"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// Forms is the queue of the merchant forms, /staff/forms/{reference}.
func Forms(rules *form.Forms, shops *shop.Shops, golive *golive.GoLive, records *compliance.Records) Queue {
	sort := &Sort{Param: "form", Label: "Form", All: "All forms"}
	for _, kind := range form.Kinds() {
		sort.Options = append(sort.Options, ui.Option{Value: string(kind), Label: formview.FormTitle(kind)})
	}
	k := Kind{
		Path: "/staff/forms", Title: "Forms", Styles: []string{"forms.css"}, Sort: sort,
		States: []State{
			stand(form.Submitted, "Waiting", ""), stand(form.Returned, "Asked for more", ui.Warning),
			stand(form.Approved, "Approved", ui.Good), stand(form.Declined, "Declined", ui.Warning),
		},
		Waiting: view.Empty{Title: "Nothing is waiting for you", Text: "New forms appear here as soon as somebody sends one."},
		Other:   view.Empty{Title: "No forms here", Text: "Nothing fits these filters."},
		Decisions: []ui.Option{
			choice(form.Approved, "Approve", ""),
			choice(form.Returned, "Ask for more", "Opens the form again, with your reason on top"),
			choice(form.Declined, "Decline", ""),
		},
		Hint:      "The applicant reads this. It may stay empty for an approval.",
		Overtaken: "Somebody else decided this form, or the applicant sent it again",
		Actions: map[string]string{
			"application accepted again": "made the compliance record", "form submitted": "sent the form",
			"form approved": "approved it", "form declined": "declined it", "form returned": "asked for more",
		},
	}
	k.List = func(ctx context.Context, p Part) (Listing, error) {
		filter := form.Filter{State: form.State(p.State), Kind: form.Kind(p.Sort), Page: p.Page}
		page, more, err := rules.Queue(ctx, filter)
		return list(ctx, page, more, err, func(f db.FormListRow) view.Row {
			return view.Row{
				URL: k.Path + "/" + *f.Reference, Reference: *f.Reference, Name: f.TradingName,
				What: titled(form.Kind(f.Kind), f.State, int(f.HandedIn)), From: f.Email, At: *f.SubmittedAt, State: stateOf(k, f.State),
			}
		}, func(ctx context.Context) (map[form.State]int, error) { return rules.Counts(ctx, filter.Kind) })
	}
	k.Load = func(r *http.Request) (*Case, error) {
		f, err := rules.Review(r.Context(), referenceOf(r))
		if err != nil {
			return nil, err
		}
		known, err := applicant(r.Context(), shops, golive, f.Owner, f.Data.TradingName)
		if err != nil {
			return nil, err
		}
		c := &Case{
			Path: f.Reference, State: string(f.State), Version: f.HandedIn, History: f.History,
			Case: view.Case{
				What: titled(f.Kind, f.State, f.HandedIn), Title: f.Reference, Since: "Sent", At: f.SubmittedAt,
				By: f.Name, Email: f.Email, Lacking: view.FormLacking(&f.Form),
				Body: templ.Join(formview.Answers(&f.Form, false), view.GoLiveEvidence(known)),
			},
		}
		for _, e := range f.History { // of several answers the last
			if e.Action == "form submitted" && e.Reason != "" {
				c.Facts = []view.Fact{{Name: "Answer to what we asked", Value: e.Reason}}
			}
		}
		if f.Kind != form.Application || f.State != form.Approved {
			return c, nil
		}
		made, err := records.Made(r.Context(), f.Owner)
		if err == nil && !made {
			c.Undo = []ui.Option{{
				Value: openRecord, Label: "Make the compliance record",
				Hint: "This application has none. The applicant is emailed about the agreement and the identity checks",
			}}
		}
		return c, err
	}
	k.Decide = func(r *http.Request, d Decision) error {
		if d.State == openRecord {
			return rules.AcceptAgain(r.Context(), referenceOf(r), d.By)
		}
		return rules.Decide(r.Context(), referenceOf(r), review.As[form.State](d.Decision))
	}
	return Queue{k}
}

// openRecord is the choice that makes the record of an application that was approved before approvals made records.
const openRecord = "record"

// titled names a form, and says that it came back with an answer.
func titled(kind form.Kind, state form.State, handedIn int) string {
	if state == form.Submitted && handedIn > 1 {
		return formview.FormTitle(kind) + ", answered"
	}
	return formview.FormTitle(kind)
}

func referenceOf(r *http.Request) string {
	return form.ParseReference(chi.URLParam(r, "reference"))
}
