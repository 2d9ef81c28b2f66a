package main

import "fmt"

// judgeEvents counts changes that were not told exactly once, and events about what never happened: one for each committed change, none
// for a rollback. A kitchen may make an order twice, so those events are not counted.
func judgeEvents(b books) promise {
	type change struct{ kind, about string }
	wanted := map[change]bool{}
	for _, t := range b.transactions {
		wanted[change{"order.made", t.ID}] = true
	}
	for _, a := range b.attempts {
		switch a.State {
		case "approved":
			wanted[change{"payment.succeeded", a.ID}] = true
		case "declined", "not_charged":
			wanted[change{"payment.failed", a.ID}] = true
		}
	}
	for _, r := range b.refunds {
		switch r.State {
		case "done":
			wanted[change{"payment.refunded", r.ID}] = true
		case "declined":
			wanted[change{"refund.failed", r.ID}] = true
		}
	}
	broken, all := 0, 0
	for _, e := range b.events {
		switch e.Kind {
		case "order.made", "payment.succeeded", "payment.failed", "payment.refunded", "refund.failed":
		default:
			continue
		}
		all += e.Times
		c := change{e.Kind, e.About}
		broken += count(e.Times != 1 || !wanted[c])
		delete(wanted, c)
	}
	for c := range wanted {
		broken += count(c.kind != "order.made") // a pay link is not made by a guest
	}
	return promise{"events", broken, fmt.Sprintf("changes without exactly one event, or events (%d) without a change", all)}
}
