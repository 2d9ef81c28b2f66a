// Package order knows the menus and turns a basket into a transaction to be paid.
package order

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/singleflight"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/printable"
	"forecourt/internal/replica"
)

// menuAge is how old a menu may be that is shown. Ordering and paying read the database, so a price or a sold-out item
// that changed in between is noticed there.
const menuAge = 500 * time.Millisecond

// maxCode is the length of the longest code that a client can have.
const maxCode = 63

// Menu is what a business sells, as it was at one moment. It is shared between requests: read only.
type Menu struct {
	Client     db.Client
	Paused     bool       // no orders are taken: the business wants a kitchen screen to look, and none does
	Categories []Category // those with something to show, in order
	items      map[int64]*Item
	rows       []db.ItemListByClientRow
}

// Category is a heading with its available items.
type Category struct {
	ID    int64
	Name  string
	Items []*Item
}

// Item is one thing on the menu; PriceMinor is in minor units of the client's currency.
type Item struct {
	ID          int64
	Name        string
	Category    string
	Description string
	PriceMinor  int64
	Picture     string
	Loc         string
	Available   bool
	SoldOut     bool
}

// Item returns the item of that id whether it is available or not, nil when the business has none.
func (m *Menu) Item(id int64) *Item { return m.items[id] }

// All returns every item of the business, with what is not available.
func (m *Menu) All() map[int64]*Item { return m.items }

// Menus keeps the menus for a moment, since a busy café's page is asked for far more often than its menu changes.
type Menus struct {
	queries *db.Queries
	replica *replica.Replica // nil: none
	reads   singleflight.Group
	mu      sync.Mutex
	kept    map[string]kept
}

type kept struct {
	menu *Menu
	at   time.Time
}

// NewMenus reads menus through conn; those that are only shown from a replica (nil: none), as long as that follows closely.
func NewMenus(conn db.DBTX, r *replica.Replica) *Menus {
	return &Menus{queries: db.New(conn), replica: r, kept: map[string]kept{}}
}

// Menu returns the menu of a business, at most half a second old, and as much more as a replica may be behind;
// fault.NotFound when there is no such business. As long as nothing changes it returns the same pointer, so that what was
// made from a menu can be kept as long.
func (m *Menus) Menu(ctx context.Context, client string) (*Menu, error) {
	m.mu.Lock()
	have := m.kept[client]
	m.mu.Unlock()
	if have.menu != nil && time.Since(have.at) < menuAge {
		return have.menu, nil
	}
	// One reader at a time for each business; it must not fail for all because the first one went away.
	read, err, _ := m.reads.Do(client, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return m.shown(ctx, client)
	})
	if err != nil {
		return nil, err
	}
	return read.(*Menu), nil
}

// Fresh reads the menu of a business from the database.
func (m *Menus) Fresh(ctx context.Context, client string) (*Menu, error) {
	return m.read(ctx, m.queries, client)
}

// shown reads a menu to look at. What the replica does not know or cannot tell, the database does.
func (m *Menus) shown(ctx context.Context, client string) (menu *Menu, err error) {
	if m.replica.Read(ctx, func(ctx context.Context, conn db.DBTX) (err error) {
		menu, err = m.read(ctx, db.New(conn), client)
		return err
	}) {
		return menu, nil
	}
	return m.read(ctx, m.queries, client)
}

func (m *Menus) read(ctx context.Context, queries *db.Queries, code string) (*Menu, error) {
	if !printable.Line(code, maxCode) {
		return nil, fault.New(fault.NotFound, "no client can have this code") // the database would refuse the question
	}
	client, err := queries.ClientGet(ctx, code)
	if errors.Is(err, pgx.ErrNoRows) {
		m.forget(code)
		return nil, fault.New(fault.NotFound, "no client %q", code)
	}
	if err != nil {
		return nil, err
	}
	rows, err := queries.ItemListByClient(ctx, code)
	if err != nil {
		return nil, err
	}
	paused := false
	if client.Live && client.NeedsKitchen {
		if paused, err = queries.KitchenPaused(ctx, code); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	menu := m.kept[code].menu
	client.DemoOpen = nil // a shut demo has no menu; the pointer would differ at each look
	if menu == nil || menu.Client != client || menu.Paused != paused || !slices.Equal(menu.rows, rows) {
		menu = newMenu(client, rows)
		menu.Paused = paused
	}
	m.kept[code] = kept{menu: menu, at: time.Now()}
	return menu, nil
}

func (m *Menus) forget(code string) {
	m.mu.Lock()
	delete(m.kept, code)
	m.mu.Unlock()
}

func newMenu(client db.Client, rows []db.ItemListByClientRow) *Menu {
	menu := &Menu{Client: client, items: make(map[int64]*Item, len(rows)), rows: rows}
	for _, row := range rows {
		item := &Item{
			ID: row.ID, Name: row.Name, Category: row.Category, Description: row.Description, PriceMinor: row.PriceMinor,
			Picture: row.Picture, Loc: row.Loc, Available: row.Available, SoldOut: row.SoldOut,
		}
		menu.items[item.ID] = item
		if !item.Available {
			continue
		}
		last := len(menu.Categories) - 1
		if last < 0 || menu.Categories[last].ID != row.CategoryID {
			menu.Categories = append(menu.Categories, Category{ID: row.CategoryID, Name: row.Category})
			last++
		}
		menu.Categories[last].Items = append(menu.Categories[last].Items, item)
	}
	return menu
}
