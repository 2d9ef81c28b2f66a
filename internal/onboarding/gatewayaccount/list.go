package gatewayaccount

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/people/review"
)

// Businesses lists a page, from 1, of the businesses in a state, by name; of all for the empty state. more reports whether another
// page follows.
func (a *Accounts) Businesses(ctx context.Context, state State, page int) (list []db.GatewayAccountShopsRow, more bool, err error) {
	skip, atMost := review.Window(page)
	rows, err := a.queries.GatewayAccountShops(ctx, string(state), skip, atMost)
	list, more = review.Page(rows)
	return list, more, err
}

// Counts returns how many businesses are in each state.
func (a *Accounts) Counts(ctx context.Context) (map[State]int, error) {
	row, err := a.queries.GatewayAccountCount(ctx)
	return map[State]int{Missing: int(row.Missing), Connected: int(row.Connected)}, err
}

// History is a business with its accounts and what was done with them.
type History struct {
	Code, Name string
	Live       bool
	Kept       []Kept
	Events     []review.Event
}

// Review returns a business as staff see it. Errors: gatewayaccount.ErrShop.
func (a *Accounts) Review(ctx context.Context, code string) (h History, err error) {
	shop, err := a.queries.ShopGet(ctx, code)
	if errors.Is(err, pgx.ErrNoRows) {
		return h, ErrShop
	}
	if err != nil {
		return h, err
	}
	h = History{Code: shop.Code, Name: shop.Name, Live: shop.Live}
	if h.Kept, err = a.Of(ctx, code); err != nil {
		return h, err
	}
	h.Events, err = review.History(ctx, a.queries, subject(code))
	return h, err
}
