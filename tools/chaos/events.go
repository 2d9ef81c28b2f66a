package main

import "fmt"

const orderMade = "order.made"

// judgeEvents counts the changes without exactly one event, and the events without a change. A committed change has one event; a
// rollback has none. It leaves out the kitchen's events, because a kitchen may make an order twice.
func judgeEvents(b books) promise {
	type change struct{ kind, about string }
	wanted := map[change]bool{}
	for _, t := range b.transactions {
		wanted[change{orderMade, t.ID}] = true
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
		case orderMade, "payment.succeeded", "payment.failed", "payment.refunded", "refund.failed":
		default:
			continue
		}
		all += e.Times
		c := change{e.Kind, e.About}
		broken += count(e.Times != 1 || !wanted[c])
		delete(wanted, c)
	}
	for c := range wanted {
		broken += count(c.kind != orderMade) // the transaction of a pay link has no such event
	}
	return promise{"events", broken, fmt.Sprintf("changes without exactly one event, or events (%d) without a change", all)}
}
