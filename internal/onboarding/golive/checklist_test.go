package golive

import (
	"errors"
	"testing"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/onboarding/form"
)

func TestMayGoLive(t *testing.T) {
	t.Parallel()
	all := Progress{Application: form.Approved, ShopProgressRow: db.ShopProgressRow{
		Australian: true, Menu: true, Tested: true, Record: "r", Signed: true, People: 2, Accepted: 2, Gateway: true, PaidInto: "passed",
	}}
	for name, tt := range map[string]struct {
		change func(*Progress)
		want   []Step
	}{
		"nothing; tables are optional": {func(*Progress) {}, nil},
		"the menu":                     {func(p *Progress) { p.Menu = false }, []Step{StepMenu}},
		"the test order":               {func(p *Progress) { p.Tested = false }, []Step{StepTestOrder}},
		"the application":              {func(p *Progress) { p.Application = "submitted" }, []Step{StepApplication}},
		"the agreement":                {func(p *Progress) { p.Signed = false }, []Step{StepAgreement}},
		"the bank account":             {func(p *Progress) { p.PaidInto = "" }, []Step{StepAccount}},
		"passing the bank account on":  {func(p *Progress) { p.PaidInto = "waiting" }, []Step{StepAccount}},
		"no BSB, abroad":               {func(p *Progress) { p.PaidInto, p.Australian = "", false }, nil},
		"one identity of two":          {func(p *Progress) { p.Accepted = 1 }, []Step{StepIdentity}},
		"an identified person":         {func(p *Progress) { p.People, p.Accepted = 0, 0 }, []Step{StepIdentity}},
		"the gateway account":          {func(p *Progress) { p.Gateway = false }, []Step{StepGateway}},
		"an owner's second factor":     {func(p *Progress) { p.Unsecured = []string{"a@example.com"} }, []Step{StepTwoStep}},
		"an address":                   {func(p *Progress) { p.Unverified = []string{"a@example.com"} }, []Step{StepAddresses}},
	} {
		p := all
		tt.change(&p)
		var got []Step
		for _, item := range p.Missing() {
			got = append(got, item.Step)
		}
		check.List(t, got, tt.want, "missing %s: the steps", name)
		p.Request = Approved
		err := p.MayGoLive()
		check.Equal(t, errors.Is(err, ErrNotReady), tt.want != nil, "approved, missing %s: %v", name, err)
	}
	for state, want := range map[RequestState]Stage{NotAsked: Next, Asked: Waiting, Returned: Next, Approved: Next} {
		p := all
		p.Request = state
		list := p.Checklist()
		check.Equal(t, list[len(list)-1], Item{StepLive, want}, "request %q", state)
		err := p.MayGoLive()
		check.Equal(t, errors.Is(err, ErrNotApproved), state != Approved, "request %q: %v", state, err)
	}
}
