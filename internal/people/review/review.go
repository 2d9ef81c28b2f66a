// Package review defines the rules for all cases that staff review: the possible decisions, which of them need a reason, the length of a
// queue's page, and the history of a case.
package review

import (
	"context"
	"slices"
	"time"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

const (
	// PageSize is how many cases a page of a queue holds.
	PageSize = 25
	// MaxReason is how many letters a reason has at most.
	MaxReason = 2000
	// MaxHistory is how many of a case's latest events its history shows.
	MaxHistory = 50
)

// ErrDecided means that the case has changed since the person who decides looked at it.
var ErrDecided = fault.New(fault.Conflict, "the case was decided or changed in the meantime")

// Choice is a state that staff can bring a case to.
type Choice[S ~string] struct {
	State S
	Why   string // asks for a reason; "" if it needs none
}

// Decision is what one of the staff decided about a case.
type Decision[S ~string] struct {
	State      S
	Reason, By string
	Version    int // of the case that they looked at
}

// As returns a decision with a state of the domain.
func As[S ~string](d Decision[string]) Decision[S] {
	return Decision[S]{S(d.State), d.Reason, d.By, d.Version}
}

// Check returns the reason in tidy form. Errors: fault.Problems, by the fields decision and reason.
func Check[S ~string](choices []Choice[S], state S, reason string) (string, error) {
	i := slices.IndexFunc(choices, func(c Choice[S]) bool { return c.State == state })
	if i < 0 {
		return "", fault.Problems{"decision": "Choose a decision"}
	}
	problems := fault.Problems{}
	problems.Note("reason", typed.TidyLines(&reason, MaxReason, "reason", choices[i].Why))
	return reason, problems.Err()
}

// Answer tidies somebody's answer to staff, and says what is wrong with it, "" if nothing.
func Answer(text *string) (wrong string) { return typed.TidyLines(text, MaxReason, "answer", "") }

// Window returns the range of rows that a query must return for a page of a queue: one row more than fits, which Page removes. Pages count
// from 1.
func Window(page int) (skip, atMost int32) {
	return int32(min(max(page, 1), 1<<20)-1) * PageSize, PageSize + 1
}

// Page returns the rows that fit on a page, and whether another page follows.
func Page[Row any](rows []Row) (page []Row, more bool) {
	return rows[:min(len(rows), PageSize)], len(rows) > PageSize
}

// Counts returns how many cases are in each state, from a row for each.
func Counts[Row any, S ~string](rows []Row, of func(Row) (S, int64)) map[S]int {
	counts := map[S]int{}
	for _, row := range rows {
		state, n := of(row)
		counts[state] = int(n)
	}
	return counts
}

// Event is one thing that happened to a case.
type Event struct {
	At     time.Time `json:"at"`
	Actor  string    `json:"actor"`
	Action string    `json:"action"`
	Reason string    `json:"reason,omitempty"`
}

// History returns the latest events of a subject of the audit log, the newest last.
func History(ctx context.Context, queries *db.Queries, subject string) ([]Event, error) {
	lines, err := queries.AuditListBySubject(ctx, subject, MaxHistory)
	if err != nil {
		return nil, err
	}
	events := make([]Event, 0, len(lines))
	for _, line := range slices.Backward(lines) {
		events = append(events, Event{At: line.CreatedAt, Actor: line.Actor, Action: line.Action, Reason: line.Reason})
	}
	return events, nil
}
