package order

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/run/throttle"
)

// UnpaidFor is how long an order can be paid before it expires.
const UnpaidFor = 2 * time.Hour

// Orders creates the transactions of orders.
type Orders struct {
	queries  *db.Queries
	menus    *Menus
	throttle *throttle.Throttle // nil: no limit
	unpaid   throttle.Limit
}

// NewOrders stores orders through conn and explains refusals from the same database.
func NewOrders(conn db.DBTX, menus *Menus) *Orders {
	return &Orders{queries: db.New(conn), menus: menus}
}

// Create stores an order at the menu's prices and returns its transaction's id. The same key with the same content returns the same id and
// sets again. Errors: fault.NotFound for an unknown client, ErrEmpty, ErrKey, ErrKeyUsed, ErrPaused, ErrFree, UnavailableError,
// AmountError, CardNumberError, TableError, throttle.Error if too many orders are unpaid, FieldError for texts and quantities out of range.
func (o *Orders) Create(ctx context.Context, req Request) (id string, again bool, err error) {
	if err := req.check(); err != nil {
		return "", false, err
	}
	params := req.params()
	if params.Origin, err = o.reserve(ctx, req.From); err != nil {
		if id, _ := o.stored(ctx, req.Client, params); id != "" { // its answer was lost
			return id, true, nil
		}
		return "", false, err
	}
	id, again, err = o.store(ctx, req, params)
	if err != nil || again {
		err = errors.Join(err, o.giveBack(ctx, req.From))
	}
	return id, again, err
}

func (o *Orders) store(ctx context.Context, req Request, params db.TransactionCreateOrderParams) (id string, again bool, err error) {
	if slices.Contains(params.ItemIds, 0) {
		if err := o.find(ctx, req, params.ItemIds); err != nil {
			return "", false, err
		}
	}
	if err := o.open(ctx, req, params); err != nil {
		return "", false, err
	}
	lines, err := o.queries.TransactionCreateOrder(ctx, params)
	if err == nil && lines == 0 || db.IsTaken(err) {
		return o.explain(ctx, req, params)
	}
	return params.ID, false, err
}

// open refuses items outside their hours, repeated lines and tables that the business does not list, unless the order was made before. The
// database knows nothing about hours.
func (o *Orders) open(ctx context.Context, req Request, params db.TransactionCreateOrderParams) error {
	menu, err := o.menus.Menu(ctx, req.Client)
	if fault.CodeOf(err) == fault.NotFound {
		return nil // explained later
	}
	if err != nil {
		return err
	}
	menu = req.orderable(menu)
	twice := menu.repeats(req.Lines, params.ItemIds)
	_, seated := menu.Table(req.Table)
	if twice == nil && seated && !slices.ContainsFunc(
		params.ItemIds, func(id int64) bool { return menu.items[id] != nil && menu.items[id].Closed },
	) {
		return nil
	}
	if id, err := o.stored(ctx, req.Client, params); id != "" || err != nil {
		return err
	}
	if twice != nil {
		return twice
	}
	if !seated {
		return &TableError{req.Table}
	}
	_, missing := menu.price(req.Lines)
	return missing
}

// repeats returns an error if two lines are for the same item with the same options. A line may name its item by id or by name, and may
// list the preset options or leave them out. ids are the items' ids line by line, 0 for an unknown name.
func (m *Menu) repeats(lines []Line, ids []int64) error {
	seen := map[string]bool{}
	for i, line := range lines {
		item := m.items[ids[i]]
		if item == nil {
			continue
		}
		if line.ID = item.ID; line.Options == nil {
			line.Options = append([]int64{}, item.Preset()...)
		}
		if seen[line.key()] {
			return repeated(i)
		}
		seen[line.key()] = true
	}
	return nil
}

// Paid reports whether an order of a client is paid.
func (o *Orders) Paid(ctx context.Context, client, id string) (bool, error) {
	return o.queries.TransactionPaid(ctx, id, client)
}

// find fills in the ids of items that are given by name only. An unknown name keeps id 0, which no item has.
func (o *Orders) find(ctx context.Context, req Request, ids []int64) error {
	menu, err := o.menus.Fresh(ctx, req.Client)
	if err != nil {
		return err
	}
	for i, line := range req.Lines {
		if item := menu.named[line.Name]; line.ID == 0 && item != nil {
			ids[i] = item.ID
		}
	}
	return nil
}

// stored returns the transaction that was made with this key before, or "". The error is ErrKeyUsed if that was a different order.
func (o *Orders) stored(ctx context.Context, client string, params db.TransactionCreateOrderParams) (string, error) {
	if params.Key == "" {
		return "", nil
	}
	row, err := o.queries.OrderKeyGet(ctx, client, params.Key)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "", nil
	case err != nil:
		return "", err
	case !bytes.Equal(row.ContentHash, params.ContentHash):
		return "", ErrKeyUsed
	}
	return row.TransactionID, nil
}

// explain finds out why an order was not stored: it is stored already, or a precondition fails.
func (o *Orders) explain(ctx context.Context, req Request, params db.TransactionCreateOrderParams) (string, bool, error) {
	if id, err := o.stored(ctx, req.Client, params); id != "" || err != nil {
		return id, err == nil, err
	}
	menu, err := o.menus.Fresh(ctx, req.Client)
	if err != nil {
		return "", false, err
	}
	menu = req.orderable(menu)
	if menu.Paused {
		return "", false, ErrPaused
	}
	total, missing := menu.price(req.Lines)
	if len(missing.Names)+len(missing.Closed) > 0 {
		return "", false, missing
	}
	if total > money.Max {
		return "", false, &FieldError{"order", "costs more than can be paid at once, which is " + money.Wire(money.Max)}
	}
	if total == 0 {
		return "", false, ErrFree
	}
	if req.Amount != nil && *req.Amount != total {
		return "", false, &AmountError{Amount: total, Currency: menu.Client.Currency}
	}
	return "", false, fault.New(fault.Unavailable, "the menu changed while the order was made")
}

// price adds up the lines in minor units, and returns those that cannot be ordered.
func (m *Menu) price(lines []Line) (int64, *UnavailableError) {
	var total int64
	missing := &UnavailableError{}
	for _, line := range lines {
		made := m.Make(line)
		if made.Problem == "" {
			total += made.PriceMinor * int64(line.Qty)
			continue
		}
		if made.NotNow != "" {
			missing.Closed = append(missing.Closed, made.Item)
		} else {
			missing.Names, missing.Problems = append(missing.Names, made.Name), append(missing.Problems, made.Problem)
		}
		switch {
		case len(made.Gone) > 0 && made.Item.Available && !made.Item.SoldOut:
			missing.Choices = append(missing.Choices, made.Gone...)
		case made.Item != nil:
			missing.IDs = append(missing.IDs, made.Item.ID)
		case line.ID != 0:
			missing.IDs = append(missing.IDs, line.ID)
		}
	}
	return total, missing
}
