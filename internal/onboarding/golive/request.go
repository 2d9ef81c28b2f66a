package golive

import (
	"forecourt/db"
	"forecourt/internal/kit/fault"
)

// Reasons why a shop cannot go live.
var (
	// ErrNotReady means that a step of the checklist is missing.
	ErrNotReady = fault.New(fault.Conflict, "something is missing to go live")
	// ErrNotApproved means that staff have not approved the request.
	ErrNotApproved = fault.New(fault.Conflict, "staff have not approved going live")
)

// Case is a shop's request to go live, as staff see it in their queue.
type Case = db.GoLiveListRow

// Subject names a shop's going live in the audit log.
func Subject(code string) string { return "going live " + code }
