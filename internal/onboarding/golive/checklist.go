// Package golive takes a shop from its first menu to real payments: the checklist, the request of its owners and what staff decide.
package golive

import (
	"slices"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/form"
)

// Reasons why a shop cannot go live.
var (
	// ErrNotReady means that a step of the checklist is missing.
	ErrNotReady = fault.New(fault.Conflict, "Something is missing now, so nothing was changed. The list says what.")
	// ErrNotApproved means that staff have not approved the request.
	ErrNotApproved = fault.New(fault.Conflict, "We have not approved going live, so nothing was changed.")
	// ErrShortPassword means that the owner's password is shorter than account.LongPassword.
	ErrShortPassword = fault.New(fault.Conflict, "Real payments need a longer password first: choose one of at least 12 characters "+
		"on the page of your account. Nothing was changed.")
)

// Step is one of the steps to the first live sale.
type Step string

// The steps, in the order they are shown.
const (
	StepShop        Step = "shop"
	StepMenu        Step = "menu"
	StepTables      Step = "tables"
	StepTestOrder   Step = "test order"
	StepApplication Step = "application"
	StepAgreement   Step = "agreement"
	StepAccount     Step = "bank account" // listed only in Australia
	StepIdentity    Step = "identity"
	StepOwners      Step = "owners" // listed only while an owner has not been asked who they are
	StepGateway     Step = "gateway account"
	StepAddresses   Step = "addresses"        // listed only while somebody's email address is not verified
	StepTwoStep     Step = "two-step sign-in" // listed only while an owner has not set it up
	StepLive        Step = "go live"
)

// Stage is how far a step has come.
type Stage string

// The stages.
const (
	Done    Stage = "done"
	Next    Stage = "next"    // the shop can do it now
	Waiting Stage = "waiting" // staff have it
	Later   Stage = "later"   // another step comes first
)

// Item is a line of the checklist.
type Item struct {
	Step  Step
	Stage Stage
}

// Progress is how far a shop has come, as the query ShopProgress explains. Nobody is unverified or unsecured where the settings do not ask
// for it.
type Progress struct {
	db.ShopProgressRow

	Live        bool
	Application form.State   // "" before it was begun
	Request     RequestState // of the owners, to go live; with Reason staff say what they lack
}

// RequestState is the state of a request to go live.
type RequestState = state.GoLive

// The states of a request.
const (
	NotAsked RequestState = "" // never stored
	Asked                 = state.GoLiveAsked
	Returned              = state.GoLiveReturned
	Approved              = state.GoLiveApproved
)

// Checklist returns the steps to the first live sale.
func (p Progress) Checklist() []Item {
	list := []Item{
		{StepShop, Done},
		{StepMenu, stage(p.Menu, Next)},
		{StepTables, stage(p.Tables > 0, Next)},
		{StepTestOrder, stage(p.Tested, after(p.Menu, Next))},
		{StepApplication, p.application()},
		{StepAgreement, stage(p.Signed, after(p.Record != "", Next))},
	}
	if p.Australian {
		list = append(list, Item{StepAccount, p.account()})
	}
	list = append(list, Item{StepIdentity, stage(p.People > 0 && p.Accepted == p.People, after(p.Record != "", Next))})
	if len(p.Unknown) > 0 {
		list = append(list, Item{StepOwners, Next})
	}
	list = append(list, Item{StepGateway, stage(p.Gateway, after(p.application() == Done, Waiting))})
	if len(p.Unverified) > 0 {
		list = append(list, Item{StepAddresses, Next})
	}
	if len(p.Unsecured) > 0 {
		list = append(list, Item{StepTwoStep, Next})
	}
	return append(list, Item{StepLive, stage(p.Live, p.goLive(list))})
}

// goLive returns the stage of the step of going live, given the other steps.
func (p Progress) goLive(others []Item) Stage {
	switch {
	case len(missing(others)) > 0:
		return Later
	case p.Request == Asked:
		return Waiting
	default:
		return Next
	}
}

// Needed reports whether a shop has to do the step before it goes live. Tables are not among these, because a shop without tables sells at
// the counter.
func (s Step) Needed() bool { return s != StepTables && s != StepLive }

// Missing lists the steps that a shop lacks to go live, in the order of the checklist.
func (p Progress) Missing() []Item { return missing(p.Checklist()) }

// Count returns how many of the steps that a shop has to do before it goes live are done, and how many there are.
func (p Progress) Count() (done, all int) {
	for _, item := range p.Checklist() {
		if item.Step.Needed() {
			all++
		}
	}
	return all - len(p.Missing()), all
}

func missing(list []Item) []Item {
	return slices.DeleteFunc(slices.Clone(list), func(item Item) bool {
		return item.Stage == Done || !item.Step.Needed()
	})
}

func (p Progress) application() Stage {
	switch p.Application {
	case form.Approved:
		return Done
	case form.Submitted, form.Declined:
		return Waiting
	default:
		return Next
	}
}

func (p Progress) account() Stage {
	switch state.Account(p.PaidInto) {
	case state.AccountPassed:
		return Done
	case state.AccountWaiting:
		return Waiting
	default:
		return Next
	}
}

func stage(done bool, otherwise Stage) Stage {
	if done {
		return Done
	}
	return otherwise
}

func after(before bool, then Stage) Stage {
	if before {
		return then
	}
	return Later
}

// MayGoLive reports whether an owner may switch the shop to real payments now. Errors: ErrNotReady, ErrNotApproved.
func (p Progress) MayGoLive() error {
	switch {
	case len(p.Missing()) > 0:
		return ErrNotReady
	case p.Request != Approved:
		return ErrNotApproved
	}
	return nil
}
