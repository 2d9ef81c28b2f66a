// Package review defines the rules for all cases that staff review: the possible decisions, which of them need a reason, the length of a
// queue's page, and the history of a case.
package review

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
)

const (
	// PageSize is how many cases a page of a queue holds.
	PageSize = 25
	// MaxReason is how many letters a reason has at most.
	MaxReason = 2000
	// MaxHistory is how many of a case's latest events its history shows.
	MaxHistory = 50
)

// Reasons why staff cannot decide.
var (
	// ErrNoDecision means that the kind of case does not have this decision.
	ErrNoDecision = fault.New(fault.Invalid, "there is no such decision")
	// ErrNoReason means that the decision needs a reason.
	ErrNoReason = fault.New(fault.Invalid, "the decision needs a reason")
	// ErrLongReason means that the reason has more than MaxReason letters.
	ErrLongReason = fault.New(fault.Invalid, "the reason is too long")
	// ErrDecided means that the case has changed since the person who decides looked at it.
	ErrDecided = fault.New(fault.Conflict, "the case was decided or changed in the meantime")
)

// Choice is a state that staff can bring a case to.
type Choice[S ~string] struct {
	State S
	Why   bool // whether it needs a reason
}

// Check returns the reason without characters that cannot be stored. Errors: ErrNoDecision, ErrNoReason, ErrLongReason.
func Check[S ~string](choices []Choice[S], state S, reason string) (string, error) {
	i := slices.IndexFunc(choices, func(c Choice[S]) bool { return c.State == state })
	reason = printable.MakeLines(reason)
	switch {
	case i < 0:
		return "", ErrNoDecision
	case reason == "" && choices[i].Why:
		return "", ErrNoReason
	case utf8.RuneCountInString(reason) > MaxReason:
		return "", ErrLongReason
	}
	return reason, nil
}

// Answer returns the first MaxReason letters of somebody's answer to staff, without characters that cannot be stored.
func Answer(text string) string {
	text = printable.MakeLines(text)
	if letters := []rune(text); len(letters) > MaxReason {
		return string(letters[:MaxReason])
	}
	return text
}

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
