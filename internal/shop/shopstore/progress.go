package shopstore

import (
	"context"

	"forecourt/internal/shop"
)

// Progress returns how far a shop has come.
func (s *Shops) Progress(ctx context.Context, one shop.Shop) (shop.Progress, error) {
	row, err := s.queries.ShopProgress(ctx, one.Code)
	return shop.Progress{
		Live: one.Live, Menu: row.Menu, Tables: int(row.Tables), FirstTable: row.FirstTable, Tested: row.Tested,
		Application: row.Application, Record: row.Record, Signed: row.Signed, People: int(row.People), Accepted: int(row.Accepted),
		Gateway: row.Gateway,
	}, err
}
