// Package retention deletes what has been kept for long enough: drafts, pictures of licences, pictures that no shop shows, old versions of
// menus, sessions and months of the audit log. It does not touch orders, payments, refunds and receipts.
package retention

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/fault"
)

// LeastAudit is the number of months of the audit log that are always kept.
const LeastAudit = 12

// The page with a menu's versions shows these limits. LatestMenus is how many versions of each shop are always kept; LeastMenus is for how
// many days every version is kept after it was replaced.
const (
	LatestMenus = 20
	LeastMenus  = 365
)

// step is how many rows one transaction deletes.
const step = 500

// ErrLimits means that a limit is negative, or keeps fewer than LeastAudit months of the audit log.
var ErrLimits = fault.New(fault.Invalid, "days and months are 0 or more, months of the audit log 12 or more, days of menus 365 or more")

// Limits say for how long each kind is kept. 0 keeps it forever. The tags are those of the command's flags.
type Limits struct {
	// Drafts counts from the last change of a form that was never submitted, or of unfinished answers to the questions for a merchant.
	Drafts int `default:"180" placeholder:"DAYS" help:"Keep drafts for this long after the last change, default ${default}."`
	Images int `default:"90" placeholder:"DAYS" help:"Keep images of people not accepted for this long after a change, default ${default}."`
	// Accepted is about pictures alone.
	Accepted int `placeholder:"DAYS" help:"Keep images of accepted people for this long after the decision; default: they stay."`
	Pictures int `default:"90" placeholder:"DAYS" help:"Keep pictures that no menu or logo shows any more for this long, default ${default}."`
	// Menus does not apply to the LatestMenus of each shop.
	Menus int `default:"365" placeholder:"DAYS" help:"Keep a replaced version of a menu for this long, at least 365, default ${default}."`
	// Audit counts whole months, besides the current one.
	Audit int `placeholder:"MONTHS" help:"Keep the audit log for this long, at least 12; default: it stays."`
}

func (l Limits) hold() bool {
	return min(l.Drafts, l.Images, l.Accepted, l.Pictures, l.Menus, l.Audit) >= 0 &&
		max(l.Drafts, l.Images, l.Accepted, l.Pictures, l.Menus) <= 36500 &&
		(l.Menus == 0 || l.Menus >= LeastMenus) &&
		(l.Audit == 0 || l.Audit >= LeastAudit && l.Audit <= 1200)
}

// Order says what to delete, and who asked for it.
type Order struct {
	Limits
	DryRun bool   // count, delete nothing
	By     string // for the audit log
}

// Result says what was deleted of one kind.
type Result struct {
	Kind    string `json:"kind"`
	Kept    string `json:"kept"`    // how long, in words
	Found   int64  `json:"found"`   // what was old enough at the start
	Deleted int64  `json:"deleted"` // 0 in a dry run
}

// kind is one thing that is deleted. remove deletes one step of it inside a transaction and returns the count, 0 when none is left.
type kind struct {
	name, kept string
	count      func(context.Context) (int64, error)
	remove     func(context.Context, *db.Queries) (int64, error)
}

// Run deletes data that is older than the limits, in steps. Each step is one transaction with a line in the audit log. Run may be
// interrupted anywhere and run again; concurrent runs share the work. Errors: ErrLimits.
func Run(ctx context.Context, pool *pgxpool.Pool, o Order) ([]Result, error) {
	if !o.hold() {
		return nil, ErrLimits
	}
	if !o.DryRun && o.Audit > 0 { // lines that are not in their month yet would stay
		if err := MakeMonths(ctx, pool); err != nil {
			return nil, err
		}
	}
	kinds, err := o.kinds(ctx, db.New(pool))
	if err != nil {
		return nil, err
	}
	results := make([]Result, 0, len(kinds))
	for _, k := range kinds {
		r, err := k.run(ctx, pool, o)
		results = append(results, r)
		if err != nil {
			return results, fmt.Errorf("%s: %w", k.name, err)
		}
	}
	return results, nil
}

func (k kind) run(ctx context.Context, pool *pgxpool.Pool, o Order) (Result, error) {
	r := Result{Kind: k.name, Kept: k.kept}
	var err error
	if r.Found, err = k.count(ctx); err != nil || o.DryRun || r.Found == 0 {
		return r, err
	}
	for {
		var removed int64
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			queries := db.New(tx)
			var err error
			if removed, err = k.remove(ctx, queries); err != nil || removed == 0 {
				return err
			}
			return queries.AuditAdd(ctx, db.AuditAddParams{
				Actor: o.By, Action: "retention", Subject: k.name, Reason: fmt.Sprintf("%d deleted, kept for %s", removed, k.kept),
			})
		})
		if err != nil || removed == 0 {
			return r, err
		}
		r.Deleted += removed
	}
}

// MakeMonths makes the audit log's tables for this month and the next three, and for past months that have lines but no table. It uses a
// separate transaction for each.
func MakeMonths(ctx context.Context, pool *pgxpool.Pool) error {
	queries := db.New(pool)
	missing, err := queries.AuditMonthMissing(ctx)
	if err != nil {
		return err
	}
	for _, month := range missing {
		if err := queries.AuditMonthMake(ctx, month); err != nil {
			return err
		}
	}
	return nil
}
