package staff

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/db/state"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/people/review"
	"forecourt/internal/shop/shop"
	peopleview "forecourt/views/compliance"
	formview "forecourt/views/forms"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// GoLive is the queue of the businesses that want to go live, /staff/live/{client}. A case shows all the evidence for the decision.
func GoLive(requests *golive.GoLive, applications *form.Forms, records *compliance.Records, accounts *gatewayaccount.Accounts) Queue {
	k := Kind{
		Path: "/staff/live", Title: "Going live", Styles: []string{"forms.css"},
		States: []State{
			stand(golive.Asked, "Waiting", ""), stand(golive.Returned, "Asked for more", ui.Warning), stand(golive.Approved, "Approved", ui.Good),
		},
		Waiting: view.Empty{Title: "Nobody waits to go live", Text: "Businesses appear here as soon as an owner asks."},
		Other:   view.Empty{Title: "No businesses here", Text: "Nothing fits this filter."},
		Decisions: []ui.Option{
			choice(golive.Approved, "Approve", "An owner then switches to real payments"),
			choice(golive.Returned, "Ask for more", "The owners see your reason, and can ask again"),
		},
		Hint:      "The owners read this by email and on the page “Go live”. It may stay empty for an approval.",
		Overtaken: "Somebody else decided this, or the owners asked again",
		Actions: map[string]string{
			"going live requested": "asked to go live", "going live approved": "approved it", "going live returned": "asked for more",
			"live payments on": "switched to real payments", "back to test mode": "switched back to test mode",
		},
	}
	k.List = func(ctx context.Context, p Part) (Listing, error) {
		page, more, err := requests.Queue(ctx, golive.RequestState(p.State), p.Page)
		return list(ctx, page, more, err, func(one golive.Case) view.Row {
			return view.Row{
				URL: k.Path + "/" + one.ShopCode, Name: one.Name, What: view.ModeNow(one.Live), From: one.AskedBy, At: one.AskedAt,
				State: goLiveState(k, one.State, one.Live),
			}
		}, requests.Counts)
	}
	k.Load = func(r *http.Request) (*Case, error) {
		code := chi.URLParam(r, "client")
		if !printable.Line(code, 63) {
			return nil, shop.ErrMissing
		}
		v, err := requests.Review(r.Context(), code)
		if err != nil {
			return nil, err
		}
		body, err := evidence(r.Context(), v, applications, records, accounts)
		if err != nil {
			return nil, err
		}
		c := &Case{
			Path: code, State: string(v.State), Version: int(v.Revision), History: v.History,
			Case: view.Case{
				State: goLiveState(k, v.State, v.Shop.Live),
				What:  "Going live", Title: v.Shop.Name, Since: "Asked", At: v.AskedAt, By: v.AskedBy, Number: code,
				Lacking: lacking(v), Body: view.GoLiveEvidence(body),
			},
		}
		if v.State == golive.Approved {
			c.Undo = []ui.Option{choice(golive.Returned, "Withdraw the approval", "A business that is live goes back to test mode at once")}
		}
		return c, nil
	}
	k.Decide = func(r *http.Request, d Decision) error {
		return requests.Decide(r.Context(), chi.URLParam(r, "client"), review.As[golive.RequestState](d.Decision))
	}
	return Queue{k}
}

// goLiveState returns the state of a request as the queue shows it. For an approved one it says whether an owner has switched.
func goLiveState(k Kind, state golive.RequestState, live bool) view.State {
	s := stateOf(k, state)
	if state == golive.Approved {
		s.Label = map[bool]string{true: "Approved, live", false: "Approved, in test mode"}[live]
	}
	return s
}

// lacking says what a shop still needs to go live, or returns "" if it is live.
func lacking(v golive.Review) string {
	if v.Shop.Live {
		return ""
	}
	return view.StillMissing(v.Progress.Missing())
}

// evidence collects the facts for a decision on going live.
func evidence(
	ctx context.Context, v golive.Review, applications *form.Forms,
	records *compliance.Records, accounts *gatewayaccount.Accounts,
) (list []view.Evidence, err error) {
	one, p := v.Shop, v.Progress
	if v.Note != "" {
		list = append(list, view.Evidence{Title: "The owners say", Given: true, Said: v.Note})
	}
	list = append(list, view.Evidence{Title: "Business", Facts: []view.Linked{
		{Name: "Mode now", Value: view.ModeNow(one.Live)}, {Name: "Sells in", Value: one.CountryCode + ", " + one.Currency},
		{Name: "ABN", Value: cmp.Or(one.Abn, view.NotGiven)},
		{Name: "Receipts go to", Value: one.Mail}, {Name: "Time zone", Value: one.TimeZone},
	}}.WithTeam(v.Team))
	sells := view.Evidence{Title: "Menu and test order", Done: p.Menu && p.Tested, Link: "See the menu", URL: "/pos/" + one.Code}
	sells.Facts = []view.Linked{
		{Name: "For sale", Value: ui.Count(int(v.Items), "item")}, {Name: "Tables", Value: ui.Count(int(p.Tables), "table")},
	}
	if v.Tested != nil {
		sells.Facts = append(sells.Facts, view.Linked{
			Name: "First test order paid", Value: testOrder(v.Tested),
		})
	}
	list = append(list, sells)
	application := view.Evidence{Title: "Application", Done: p.Application == form.Approved}
	if v.Reference != "" {
		f, err := applications.Review(ctx, v.Reference)
		if err != nil {
			return nil, err
		}
		application.Link, application.URL = "Application "+v.Reference, "/staff/forms/"+v.Reference
		application.More = formview.Answers(&f.Form, false)
	}
	list = append(list, application)
	agreement := view.Evidence{Title: "Agreement", Done: p.Signed}
	people := view.Evidence{Title: "Identities", Done: p.People > 0 && p.Accepted == p.People}
	if p.Record != "" {
		record, err := records.Look(ctx, p.Record)
		if err != nil {
			return nil, err
		}
		if s := record.Signature; s != nil {
			agreement.Link, agreement.URL = "The signed agreements (PDF)", "/staff/compliance/"+p.Record+"/agreement.pdf"
			agreement.Facts = []view.Linked{
				{Name: "Signed by", Value: s.Signer}, {Name: "Signed at", Value: view.When(s.At)}, {Name: "Version", Value: s.Version},
			}
		}
		for _, one := range record.People {
			_, status := peopleview.StatusOf(&one, nil)
			fact := view.Linked{Name: one.Name, Value: status}
			if one.State != state.PersonOpen {
				fact.URL = view.PersonURL(p.Record, one.Number)
			}
			people.Facts = append(people.Facts, fact)
		}
	}
	list = append(list, agreement, people)
	kept, err := accounts.Of(ctx, one.Code)
	return append(list, view.GatewayEvidence(one.Code, kept)), err
}

// applicant collects what the site knows about the businesses of the person who sent a form. If one has the name in it, the others are
// folded.
func applicant(
	ctx context.Context, shops *shop.Shops, golive *golive.GoLive, account uuid.UUID, name string,
) (list []view.Evidence, err error) {
	mine, err := shops.Of(ctx, account)
	if err != nil {
		return nil, err
	}
	for _, listed := range mine {
		if !shop.Role(listed.Role).May(shop.Own) {
			continue
		}
		one, _, err := shops.Enter(ctx, listed.Code, account)
		if err != nil {
			return nil, err
		}
		p, err := golive.Progress(ctx, one)
		if err != nil {
			return nil, err
		}
		tested, err := golive.Tested(ctx, one.Code)
		if err != nil {
			return nil, err
		}
		list = append(list, view.ShopEvidence(one, p, testOrder(tested)))
	}
	if len(list) == 0 {
		list = append(list, view.NoShop)
	}
	meant := slices.IndexFunc(list, func(e view.Evidence) bool { return strings.EqualFold(e.Title, name) })
	for i := range list {
		list[i].Folded = meant >= 0 && i != meant
	}
	return list, nil
}

// testOrder returns the text for the first paid test order, "" for none.
func testOrder(t *golive.TestOrder) string {
	if t == nil {
		return ""
	}
	return money.Label(t.AmountMinor, t.Currency) + ", " + view.When(t.PaidAt)
}
