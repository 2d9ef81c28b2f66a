package retention

import (
	"context"
	"fmt"

	"forecourt/db"
)

// kinds returns the kinds that have a limit.
func (o Order) kinds(ctx context.Context, queries *db.Queries) ([]kind, error) {
	var all []kind
	if o.Drafts > 0 {
		all = append(all,
			older(queries, "drafts", o.Drafts, (*db.Queries).FormDraftOldCount, (*db.Queries).FormDraftPrune),
			older(queries, "onboarding", o.Drafts, (*db.Queries).OnboardingOldCount, (*db.Queries).OnboardingPrune))
	}
	if o.Images > 0 || o.Accepted > 0 {
		images, err := o.images(ctx, queries)
		if err != nil {
			return nil, err
		}
		all = append(all, images)
	}
	if o.Pictures > 0 {
		if err := queries.PictureMark(ctx); err != nil {
			return nil, err
		}
		all = append(all, older(queries, "pictures", o.Pictures, (*db.Queries).PictureOldCount, (*db.Queries).PicturePrune))
	}
	if o.Menus > 0 {
		// A picture that only old versions show is deleted later, when its own limit has passed.
		all = append(all, older(queries, "menus", o.Menus,
			func(queries *db.Queries, ctx context.Context, days int32) (int64, error) {
				return queries.MenuVersionOldCount(ctx, LatestMenus, days)
			},
			func(queries *db.Queries, ctx context.Context, days, atMost int32) (int64, error) {
				return queries.MenuVersionPrune(ctx, LatestMenus, days, atMost)
			}))
	}
	all = append(all, kind{ // that timed out a day ago; the serving program deletes them, too
		name: "sessions", kept: days(1), count: queries.SessionOldCount,
		remove: func(ctx context.Context, queries *db.Queries) (int64, error) { return queries.SessionPrune(ctx, step) },
	})
	if o.Audit > 0 {
		audit, err := o.audit(ctx, queries)
		if err != nil {
			return nil, err
		}
		all = append(all, audit)
	}
	return all, nil
}

// older returns the kind of rows that are deleted once they are older than some days.
func older(
	queries *db.Queries, name string, limit int,
	count func(*db.Queries, context.Context, int32) (int64, error), prune func(*db.Queries, context.Context, int32, int32) (int64, error),
) kind {
	return kind{
		name: name, kept: days(limit),
		count: func(ctx context.Context) (int64, error) { return count(queries, ctx, number(limit)) },
		remove: func(ctx context.Context, queries *db.Queries) (int64, error) {
			return prune(queries, ctx, number(limit), step)
		},
	}
}

// images returns the kind of pictures of licences, one person at a time. The deletion is also noted in that person's history.
func (o Order) images(ctx context.Context, queries *db.Queries) (kind, error) {
	people, err := queries.ComplianceImageOld(ctx, number(o.Accepted), number(o.Images))
	if err != nil {
		return kind{}, err
	}
	k := kind{name: "images", kept: days(o.Images)}
	switch {
	case o.Images == 0:
		k.kept = days(o.Accepted) + " after acceptance"
	case o.Accepted > 0:
		k.kept += ", " + days(o.Accepted) + " after acceptance"
	}
	k.count = func(context.Context) (found int64, _ error) {
		for _, p := range people {
			found += p.Pictures
		}
		return found, nil
	}
	k.remove = func(ctx context.Context, queries *db.Queries) (int64, error) {
		for len(people) > 0 {
			p := people[0]
			removed, err := queries.ComplianceImagePrune(ctx, db.ComplianceImagePruneParams{
				ComplianceID: p.ComplianceID, Number: p.Number, State: p.State, Revision: p.Revision,
			})
			if err != nil {
				return 0, err
			}
			people = people[1:]
			if removed == 0 {
				continue // touched since
			}
			return removed, queries.AuditAdd(ctx, db.AuditAddParams{
				Actor: o.By, Action: "licence pictures deleted", Subject: fmt.Sprintf("compliance %s/%d", p.ComplianceID, p.Number),
			})
		}
		return 0, nil
	}
	return k, nil
}

// audit returns the kind of lines of the audit log, a month at a time.
func (o Order) audit(ctx context.Context, queries *db.Queries) (kind, error) {
	months, err := queries.AuditMonthOld(ctx, number(o.Audit))
	if err != nil {
		return kind{}, err
	}
	return kind{
		name: "audit", kept: fmt.Sprintf("%d months", o.Audit),
		count: func(ctx context.Context) (int64, error) { return queries.AuditOldCount(ctx, number(o.Audit)) },
		remove: func(ctx context.Context, queries *db.Queries) (lines int64, err error) {
			for len(months) > 0 && lines == 0 { // a month may be empty
				if lines, err = queries.AuditMonthDrop(ctx, months[0]); err != nil {
					return 0, err
				}
				months = months[1:]
			}
			return lines, nil
		},
	}, nil
}

func days(n int) string {
	if n == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", n)
}

// number converts n for a query. Run has refused numbers that do not fit.
func number(n int) int32 { return int32(n) } //nolint:gosec // see above
