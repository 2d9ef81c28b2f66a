package ui

import "context"

var rooms = []Link{
	{"Waiting", "/staff"}, {"Forms", "/staff/forms"}, {"Identities", "/staff/compliance"}, {"Gateway accounts", "/staff/accounts"},
	{"Going live", "/staff/live"}, {"Payments to decide", "/staff/payments"}, {"Refunds", "/staff/refunds"}, {"Payouts", "/staff/payouts"},
	{"Bank accounts", "/staff/bank-accounts"}, {"Disputes", "/staff/disputes"}, {"Unmatched", "/staff/unmatched"},
	{"Fees", "/staff/fees"}, {"Public holidays", "/staff/holidays"}, {"Navigation and slides", "/staff/site"},
}

// StaffDesk returns the frame of the staff room. Its navigation says how much waits on each page.
func (c Chrome) StaffDesk(ctx context.Context) Desk {
	d, waiting := Desk{Label: "Staff"}, map[string]int{}
	if c.Waiting != nil {
		waiting = c.Waiting(ctx)
	}
	for _, room := range rooms {
		d.Nav = append(d.Nav, Tab{Link: room, Waits: waiting[room.URL]})
	}
	return d
}
