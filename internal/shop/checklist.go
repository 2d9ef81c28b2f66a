package shop

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
	StepIdentity    Step = "identity"
	StepGateway     Step = "gateway account"
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

// Progress is how far a shop has come. The application and the record are those of its owners.
type Progress struct {
	Live        bool
	Menu        bool   // something is for sale
	Tables      int    // how many there are
	FirstTable  string // name of the first; "" without one
	Tested      bool   // an order was paid in test mode
	Application string // state of the application form; "" before it was begun
	Record      string // id of the compliance record; "" without one
	Signed      bool   // the agreement
	People      int    // who have to prove their identity
	Accepted    int    // of those
	Gateway     bool   // a gateway account for live payments is connected
}

// Checklist returns the steps to the first live sale.
func (p Progress) Checklist() []Item {
	list := []Item{
		{StepShop, Done},
		{StepMenu, stage(p.Menu, Next)},
		{StepTables, stage(p.Tables > 0, Next)},
		{StepTestOrder, stage(p.Tested, after(p.Menu, Next))},
		{StepApplication, p.application()},
		{StepAgreement, stage(p.Signed, after(p.Record != "", Next))},
		{StepIdentity, stage(p.People > 0 && p.Accepted == p.People, after(p.Record != "", Next))},
		{StepGateway, stage(p.Gateway, after(p.application() == Done, Waiting))},
	}
	live := Next
	for _, item := range list {
		if item.Stage != Done && item.Step != StepTables { // a shop without tables sells at the counter
			live = Later
		}
	}
	return append(list, Item{StepLive, stage(p.Live, live)})
}

func (p Progress) application() Stage {
	switch p.Application {
	case "approved":
		return Done
	case "submitted", "declined":
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
