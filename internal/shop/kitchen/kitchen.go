// Package kitchen lists a shop's open order lines and marks them done.
package kitchen

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/pubsub"
)

// These are the limits of a screen. Two more are constants in db/queries/kitchen.sql: the age after which an order is no longer listed (a
// day), and the time in which Done can be undone (half an hour). With parameters, the plan would read all past orders
// (TestNoQueryScansAGrownTable).
const (
	maxOrders = 100 // of one location: the oldest, and as many of the newest
	maxDone   = 40
	maxStale  = 100
)

// Kitchens marks lines done and undone.
type Kitchens struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	announce func(topic string)
	tell     Teller
}

// Teller tells the customer of an order that a location is done with it, when tx commits.
type Teller func(ctx context.Context, tx pgx.Tx, shop, trx, loc string) error

// New returns kitchens that announce each change after its commit, under the transaction's id and under pubsub's
// Kitchen topic. tell, which may be nil, notifies the customers who asked for it.
func New(pool *pgxpool.Pool, announce func(topic string), tell Teller) *Kitchens {
	return &Kitchens{pool: pool, queries: db.New(pool), announce: announce, tell: tell}
}

// Ticket is what one location has to make for one order.
type Ticket struct {
	TrxID       string
	No          *int32 // of the order, in the shop's day
	Loc         string
	Table, Name string // either or neither
	Test        bool
	PaidAt      time.Time
	Lines       []Line
}

// Line is a quantity of one item, with its options and note.
type Line struct {
	Name    string
	Qty     int
	Options []db.LineOption
	Note    string
}

// Done is what one location finished of one order.
type Done = db.KitchenDoneListRow

// Board is what a kitchen screen shows.
type Board struct {
	Open []Ticket // oldest first
	// Hidden counts the orders of a location that Open lacks: it has the location's 100 oldest and 100 newest.
	Hidden map[string]int
	Done   []Done // of the last half hour, newest first
	Stale  int    // orders paid more than a day ago of which something is open; no ticket shows them
	More   bool   // there may be more of those than Stale, which is 100 at most
}

// Board reads what a business still has to make.
func (k *Kitchens) Board(ctx context.Context, shop string) (Board, error) {
	rows, err := k.queries.KitchenOpenList(ctx, maxOrders, shop)
	if err != nil {
		return Board{}, err
	}
	done, err := k.queries.KitchenDoneList(ctx, shop, maxDone)
	if err != nil {
		return Board{}, err
	}
	open, err := tickets(rows)
	if err != nil {
		return Board{}, err
	}
	stale, err := k.queries.KitchenStaleCount(ctx, shop, maxStale)
	return Board{Open: open, Hidden: hidden(rows), Done: done, Stale: int(stale), More: stale == maxStale}, err
}

// tickets groups lines by order and location, in the order of their first line.
func tickets(rows []db.KitchenOpenListRow) ([]Ticket, error) {
	var all []Ticket
	at := map[[2]string]int{}
	for _, row := range rows {
		key := [2]string{row.ID, row.Loc}
		i, ok := at[key]
		if !ok {
			i = len(all)
			at[key] = i
			all = append(all, Ticket{
				TrxID: row.ID, No: row.OrderNo, Loc: row.Loc, Table: row.TableName, Name: row.CustomerName, Test: row.TestMode, PaidAt: row.PaidAt,
			})
		}
		line := Line{Name: row.Name, Qty: int(row.Qty), Note: row.Note}
		if err := json.Unmarshal(row.Options, &line.Options); err != nil {
			return nil, err
		}
		all[i].Lines = append(all[i].Lines, line)
	}
	return all, nil
}

// hidden counts the orders of each location that the rows leave out.
func hidden(rows []db.KitchenOpenListRow) map[string]int {
	left := map[string]int{}
	for _, row := range rows {
		if row.Orders > 2*maxOrders {
			left[row.Loc] = int(row.Orders) - 2*maxOrders
		}
	}
	return left
}

// Done marks a location's open lines of an order as done (PAY-54); the order is completed when nothing is left (PAY-38). Calling it
// again changes nothing. fault.NotFound if the business has no such paid order.
func (k *Kitchens) Done(ctx context.Context, shop, trx, loc string) error {
	return k.mark(ctx, shop, trx, loc, (*db.Queries).KitchenDone, true)
}

// Undo takes Done back.
func (k *Kitchens) Undo(ctx context.Context, shop, trx, loc string) error {
	return k.mark(ctx, shop, trx, loc, (*db.Queries).KitchenUndo, false)
}

type setter func(q *db.Queries, ctx context.Context, trx, shop, loc string) (int64, error)

func (k *Kitchens) mark(ctx context.Context, shop, trx, loc string, set setter, ready bool) error {
	err := pgx.BeginFunc(ctx, k.pool, func(tx pgx.Tx) error {
		queries := k.queries.WithTx(tx)
		pushToken, err := queries.KitchenLock(ctx, trx, shop)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "no such paid order")
		}
		if err != nil {
			return err
		}
		rows, err := set(queries, ctx, trx, shop, loc)
		if err != nil {
			return err
		}
		if ready && rows > 0 {
			err := queries.ShopEventAdd(ctx, db.ShopEventAddParams{Kind: state.EventOrderReady, About: trx, Detail: loc, TransactionID: trx})
			if err != nil {
				return err
			}
		}
		if ready && k.tell != nil && rows > 0 && pushToken != "" {
			if err := k.tell(ctx, tx, shop, trx, loc); err != nil {
				return err
			}
		}
		return queries.KitchenSettle(ctx, trx, shop)
	})
	if err != nil {
		return err
	}
	k.announce(trx)
	k.announce(pubsub.Kitchen(shop))
	return nil
}

// Require sets whether a live business takes orders only while a kitchen screen is watching.
func (k *Kitchens) Require(ctx context.Context, shop string, required bool) error {
	_, err := k.queries.ShopSetNeedsKitchen(ctx, required, shop)
	return err
}

// PauseFor is how long a kitchen pauses ordering with one tap.
const PauseFor = 10 * time.Minute

// Pause pauses ordering for PauseFor from now, or ends the pause.
func (k *Kitchens) Pause(ctx context.Context, shop string, on bool) error {
	pause := time.Duration(0)
	if on {
		pause = PauseFor
	}
	if err := k.queries.KitchenPause(ctx, shop, pause); err != nil {
		return err
	}
	k.announce(pubsub.Kitchen(shop))
	return nil
}

// Seen records that a kitchen screen of a business is watching.
func (k *Kitchens) Seen(ctx context.Context, shop string) error {
	return k.queries.KitchenSeen(ctx, shop)
}
