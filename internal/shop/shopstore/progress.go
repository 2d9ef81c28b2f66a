package shopstore

import (
	"context"

	"forecourt/db"
	"forecourt/internal/form"
	"forecourt/internal/shop"
)

// Progress returns how far a shop has come.
func (l *GoLive) Progress(ctx context.Context, one shop.Shop) (shop.Progress, error) {
	return l.progress(ctx, l.queries, one)
}

func (l *GoLive) progress(ctx context.Context, queries *db.Queries, one shop.Shop) (shop.Progress, error) {
	row, err := queries.ShopProgress(ctx, one.Code)
	p := shop.Progress{
		Live: one.Live, Menu: row.Menu, Tables: int(row.Tables), FirstTable: row.FirstTable, Tested: row.Tested,
		Application: form.State(row.Application), Record: row.Record, Runners: row.Runners,
		Signed: row.Signed, People: int(row.People), Accepted: int(row.Accepted),
		Gateway: row.Gateway, Unknown: row.Unknown, Usable: row.Usable,
		Request: shop.Request{State: shop.RequestState(row.Request), Reason: row.Reason},
	}
	if !l.rule.Waived {
		p.Unverified = row.Unverified
	}
	if !l.rule.PasswordAlone {
		p.Unsecured = row.Unsecured
	}
	return p, err
}
