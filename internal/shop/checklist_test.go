package shop

import (
	"errors"
	"slices"
	"testing"
)

func TestMayGoLive(t *testing.T) {
	t.Parallel()
	all := Progress{Menu: true, Tested: true, Application: "approved", Record: "r", Signed: true, People: 2, Accepted: 2, Gateway: true}
	for name, tt := range map[string]struct {
		change func(*Progress)
		want   []Step
	}{
		"nothing; tables are optional": {func(*Progress) {}, nil},
		"the menu":                     {func(p *Progress) { p.Menu = false }, []Step{StepMenu}},
		"the test order":               {func(p *Progress) { p.Tested = false }, []Step{StepTestOrder}},
		"the application":              {func(p *Progress) { p.Application = "submitted" }, []Step{StepApplication}},
		"the agreement":                {func(p *Progress) { p.Signed = false }, []Step{StepAgreement}},
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
		if !slices.Equal(got, tt.want) {
			t.Errorf("missing %s: the steps are %q", name, got)
		}
		p.Request.State = Approved
		if err := p.MayGoLive(); errors.Is(err, ErrNotReady) != (tt.want != nil) {
			t.Errorf("approved, missing %s: %v", name, err)
		}
	}
	for state, want := range map[RequestState]Stage{NotAsked: Next, Asked: Waiting, Returned: Next, Approved: Next} {
		p := all
		p.Request.State = state
		list := p.Checklist()
		if last := list[len(list)-1]; last != (Item{StepLive, want}) {
			t.Errorf("request %q: %v", state, last)
		}
		if err := p.MayGoLive(); errors.Is(err, ErrNotApproved) != (state != Approved) {
			t.Errorf("request %q: %v", state, err)
		}
	}
}
