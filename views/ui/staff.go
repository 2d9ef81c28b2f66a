package ui

import "context"

// Room is a page of the staff room: its name there, and its name elsewhere.
type Room struct {
	Link
	Long  string
	Waits int // cases that wait for staff, 0 for none
}

// Rooms lists the pages of the staff room with what waits there.
func (c Chrome) Rooms(ctx context.Context) []Room {
	all := []Room{
		{Link: Link{"Forms", "/staff/forms"}, Long: "Forms to review"},
		{Link: Link{"Identities", "/staff/compliance"}, Long: "Identity details to review"},
		{Link: Link{"Gateway accounts", "/staff/accounts"}, Long: "Gateway accounts"},
		{Link: Link{"Going live", "/staff/live"}, Long: "Businesses that want to go live"},
		{Link: Link{"Payments to decide", "/staff/payments"}, Long: "Payments to decide"},
		{Link: Link{"Refunds", "/staff/refunds"}, Long: "Refunds not done"},
		{Link: Link{"Payouts", "/staff/payouts"}, Long: "Payouts"},
		{Link: Link{"Disputes", "/staff/disputes"}, Long: "Disputes"},
		{Link: Link{"Unmatched", "/staff/unmatched"}, Long: "Unmatched money"},
		{Link: Link{"Navigation and slides", "/staff/site"}, Long: "Navigation and slides"},
	}
	if c.Waiting != nil {
		waiting := c.Waiting(ctx)
		for i := range all {
			all[i].Waits = waiting[all[i].URL]
		}
	}
	return all
}

// StaffDesk returns the frame of the staff room.
func (c Chrome) StaffDesk(ctx context.Context) Desk {
	d := Desk{Label: "Staff"}
	for _, room := range c.Rooms(ctx) {
		d.Nav = append(d.Nav, Tab{Link: room.Link, Waits: room.Waits})
	}
	return d
}
