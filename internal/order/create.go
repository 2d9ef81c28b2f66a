package order

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/money"
)

// Orders creates the transactions of orders.
type Orders struct {
	queries *db.Queries
	menus   *Menus
}

// NewOrders stores orders through conn and explains refusals from the same database.
func NewOrders(conn db.DBTX, menus *Menus) *Orders {
	return &Orders{queries: db.New(conn), menus: menus}
}

// Create stores an order priced from the menu and returns its transaction's id. The same key with the same content
// returns the same id, with again set. Errors: fault.NotFound for an unknown client, ErrEmpty, ErrKey, ErrKeyUsed, ErrPaused,
// UnavailableError, AmountError, CardNumberError, fault.Invalid for texts and quantities out of range.
func (o *Orders) Create(ctx context.Context, req Request) (id string, again bool, err error) {
	if err := req.check(); err != nil {
		return "", false, err
	}
	params := req.params()
	if slices.Contains(params.ItemIds, 0) {
		if err := o.find(ctx, req, params.ItemIds); err != nil {
			return "", false, err
		}
	}
	lines, err := o.queries.TransactionCreateOrder(ctx, params)
	if err == nil && lines == 0 || db.IsTaken(err) {
		return o.explain(ctx, req, params)
	}
	return params.ID, false, err
}

// Paid reports whether an order of a client is paid.
func (o *Orders) Paid(ctx context.Context, client, id string) (bool, error) {
	return o.queries.TransactionPaid(ctx, id, client)
}

// find fills in the ids of items given by name only; the id of an unknown one stays 0, which no item has.
func (o *Orders) find(ctx context.Context, req Request, ids []int64) error {
	menu, err := o.menus.Fresh(ctx, req.Client)
	if err != nil {
		return err
	}
	named := menu.byName()
	for i, line := range req.Lines {
		if item := named[line.Name]; line.ID == 0 && item != nil {
			ids[i] = item.ID
		}
	}
	return nil
}

// explain finds out why an order was not stored: it already was, or a precondition fails.
func (o *Orders) explain(ctx context.Context, req Request, params db.TransactionCreateOrderParams) (string, bool, error) {
	if req.Key != "" {
		stored, err := o.queries.OrderKeyGet(ctx, req.Client, req.Key)
		switch {
		case err == nil && bytes.Equal(stored.ContentHash, params.ContentHash):
			return stored.TransactionID, true, nil
		case err == nil:
			return "", false, ErrKeyUsed
		case !errors.Is(err, pgx.ErrNoRows):
			return "", false, err
		}
	}
	menu, err := o.menus.Fresh(ctx, req.Client)
	if err != nil {
		return "", false, err
	}
	if menu.Paused {
		return "", false, ErrPaused
	}
	total, missing := menu.price(req.Lines)
	if len(missing.Names) > 0 {
		return "", false, missing
	}
	if total > money.Max {
		return "", false, fault.New(fault.Invalid, "an order of %d is more than can be paid at once", total)
	}
	if req.Amount != nil && *req.Amount != total {
		return "", false, &AmountError{Amount: total}
	}
	return "", false, fault.New(fault.Unavailable, "the menu changed while the order was made")
}

// price adds the lines up in minor units and returns what is not available.
func (m *Menu) price(lines []Line) (int64, *UnavailableError) {
	named := m.byName()
	var total int64
	missing := &UnavailableError{}
	for _, line := range lines {
		item := m.items[line.ID]
		if line.ID == 0 {
			item = named[line.Name]
		}
		switch {
		case item == nil && line.ID != 0:
			missing.IDs = append(missing.IDs, line.ID)
			missing.Names = append(missing.Names, fmt.Sprintf("item %d", line.ID))
		case item == nil:
			missing.Names = append(missing.Names, line.Name)
		case !item.Available || item.SoldOut:
			missing.IDs = append(missing.IDs, item.ID)
			missing.Names = append(missing.Names, item.Name)
		default:
			total += item.PriceMinor * int64(line.Qty)
		}
	}
	return total, missing
}

func (m *Menu) byName() map[string]*Item {
	named := make(map[string]*Item, len(m.items))
	for _, item := range m.items {
		named[item.Name] = item
	}
	return named
}
