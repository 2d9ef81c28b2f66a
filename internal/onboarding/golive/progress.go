package golive

import (
	"context"

	"forecourt/db"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/shop/shop"
)

// Progress returns how far a shop has come.
func (l *GoLive) Progress(ctx context.Context, one shop.Shop) (Progress, error) {
	return l.progress(ctx, l.queries, one)
}

func (l *GoLive) progress(ctx context.Context, queries *db.Queries, one shop.Shop) (Progress, error) {
	row, err := queries.ShopProgress(ctx, one.Code)
	p := Progress{
		Live: one.Live, Menu: row.Menu, Tables: int(row.Tables), FirstTable: row.FirstTable, Tested: row.Tested,
		Application: form.State(row.Application), Record: row.Record, Runners: row.Runners,
		Signed: row.Signed, People: int(row.People), Accepted: int(row.Accepted),
		Gateway: row.Gateway, Unknown: row.Unknown, Usable: row.Usable,
		Request: Request{State: RequestState(row.Request), Reason: row.Reason},
	}
	if !l.rule.Waived {
		p.Unverified = row.Unverified
	}
	if !l.rule.PasswordAlone {
		p.Unsecured = row.Unsecured
	}
	return p, err
}
