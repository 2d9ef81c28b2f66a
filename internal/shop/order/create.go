package order

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

// FromMenu describes every order from a menu (POS-28). Whoever sees the lines learns nothing from it.
const FromMenu = "Food Order"

// UnpaidFor is how long an order can be paid before it expires.
const UnpaidFor = 2 * time.Hour

// Orders creates the transactions of orders.
type Orders struct {
	queries  *db.Queries
	menus    *Menus
	throttle *throttle.Throttle // nil: no limit
	unpaid   throttle.Limit
	replaced throttle.Limit
}

// NewOrders stores orders through conn and explains refusals from the same database.
func NewOrders(conn db.DBTX, menus *Menus) *Orders {
	return &Orders{queries: db.New(conn), menus: menus}
}

// tries is how often an order is priced before it is refused because the menu keeps changing.
const tries = 10

// Create stores an order at the menu's prices and returns its transaction's id. The same key with the same content returns the same id and
// sets again. Errors: fault.NotFound for an unknown shop, ErrEmpty, ErrKey, ErrKeyUsed, ErrPaused, ErrFree, UnavailableError,
// AmountError, CardNumberError, TableError, throttle.Error if too many orders are unpaid, FieldError for texts and quantities out of range.
func (o *Orders) Create(ctx context.Context, req Request) (id string, again bool, err error) {
	if err := req.check(); err != nil {
		return "", false, err
	}
	if _, err := o.menus.Menu(ctx, req.Shop); fault.CodeOf(err) == fault.NotFound {
		return "", false, err // before anything counts under a code that somebody invented
	}
	counted, err := o.reserve(ctx, req)
	if err != nil {
		if id, _ := o.stored(ctx, req); id != "" { // its answer was lost
			return id, true, nil
		}
		return "", false, err
	}
	var origin []byte
	if counted != "" {
		origin = o.throttle.Hash(counted)
	}
	id, again, err = o.store(ctx, req, origin)
	if err != nil || again {
		err = errors.Join(err, o.giveBack(ctx, counted))
	}
	return id, again, err
}

// store prices an order by the menu, which may be half a second old. Where that refuses it, or has changed before the order is stored, the
// menu is read anew.
func (o *Orders) store(ctx context.Context, req Request, origin []byte) (id string, again bool, err error) {
	menu, err := o.menus.Menu(ctx, req.Shop)
	for try := 1; ; try++ {
		if err == nil {
			id, err = o.insert(ctx, req, menu, origin)
		}
		if id != "" || err != nil && fault.CodeOf(err) == fault.Internal {
			return id, false, err
		}
		if id, err := o.stored(ctx, req); id != "" || err != nil {
			return id, err == nil, err
		}
		switch {
		case err != nil && (try > 1 || fault.CodeOf(err) == fault.NotFound):
			return "", false, err
		case try == tries:
			return "", false, fault.New(fault.Unavailable, "the menu changed while the order was made")
		}
		menu, err = o.menus.Fresh(ctx, req.Shop)
	}
}

// insert stores an order at the prices of a menu. It returns "" if the menu is no longer the present one, or the key is in use.
func (o *Orders) insert(ctx context.Context, req Request, menu *Menu, origin []byte) (id string, err error) {
	if !menu.at.IsZero() && !menu.at.Equal(time.Now().Truncate(time.Minute)) {
		return "", nil // hours, and prices with them, go by the minute in which it is ordered
	}
	params, err := req.priced(req.orderable(menu))
	if err != nil {
		return "", err
	}
	params.Origin = origin
	lines, err := o.queries.TransactionCreateOrder(ctx, params)
	if db.IsTaken(err) || db.IsOrphan(err) || err == nil && lines == 0 { // an orphan: an item that was just removed
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return params.ID, nil
}

// stored returns the transaction that was made with this key before, or "". The error is ErrKeyUsed if that was a different order.
func (o *Orders) stored(ctx context.Context, req Request) (string, error) {
	if req.Key == "" {
		return "", nil
	}
	row, err := o.queries.OrderKeyGet(ctx, req.Shop, req.Key)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "", nil
	case err != nil:
		return "", err
	case !bytes.Equal(row.ContentHash, req.hash()):
		return "", ErrKeyUsed
	}
	return row.TransactionID, nil
}

// PaidBefore reports whether the order that was made with a request's key is paid.
func (o *Orders) PaidBefore(ctx context.Context, req Request) (bool, error) {
	row, err := o.queries.OrderKeyGet(ctx, req.Shop, req.Key)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return o.Paid(ctx, req.Shop, row.TransactionID)
}

// Paid reports whether an order of a shop is paid.
func (o *Orders) Paid(ctx context.Context, shop, id string) (bool, error) {
	return o.queries.TransactionPaid(ctx, id, shop)
}
