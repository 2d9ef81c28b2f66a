// Package order reads menus and turns a basket into a transaction to be paid.
package order

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/singleflight"

	"forecourt/db"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
)

// menuAge is how old a displayed menu may be. Ordering and paying read the database, so they notice a price or a sold-out item that
// changed in between.
const menuAge = 500 * time.Millisecond

// keptItems limits how many items all kept menus have together: anybody may set up a business with a long menu.
const keptItems = 50_000

// maxCode is the greatest length of a shop's code.
const maxCode = 63

// Menu is what a business sells, as of one moment. It is shared between requests: read only.
type Menu struct {
	Shop         brand.Shop
	NeedsKitchen bool       // it takes orders only while a kitchen screen watches
	Paused       bool       // no orders are taken: the business wants a kitchen screen to watch, and none does
	Guests       *Menu      // what guests see, where this one is for the team to try at any hour; nil for theirs
	Categories   []Category // those with something to show, in order
	Groups       []*Group   // every option group of the business
	revision     int32      // of what was published
	tables       []string   // as the business lists them; empty where guests may name any
	items        map[int64]*Item
	named        map[string]*Item
	rows         []db.ItemListByShopRow
	groups       string // as they were read
	hours, zone  string
	at           time.Time // the minute that hours were compared with; zero if nothing has hours
}

// Category is a heading with its available items.
type Category struct {
	ID    int64
	Name  string
	Items []*Item
}

// Item is one thing on the menu; PriceMinor is in minor units of the shop's currency.
type Item struct {
	ID          int64
	Name        string
	Category    string
	Description string
	PriceMinor  int64
	Picture     string
	Loc         string
	Available   bool
	SoldOut     bool      // it cannot be ordered now: it is sold out or closed
	Closed      bool      // it is outside its hours
	Opens       time.Time // when it is closed: when it is on sale again, in the shop's zone; zero if never
	Food
	NoteMax int      // greatest length of a note to the kitchen, in characters; 0 for none
	Groups  []*Group // what is chosen with it, in order
}

// Item returns the item with that id, available or not, or nil if the business has none.
func (m *Menu) Item(id int64) *Item { return m.items[id] }

// Table returns the name of a table as the business writes it. known is false if the business lists its tables and this is not one of them.
// Any name is known to a business without a list, and "", which means no table, is always known.
func (m *Menu) Table(name string) (listed string, known bool) {
	if name == "" || len(m.tables) == 0 {
		return name, true
	}
	for _, table := range m.tables {
		if strings.EqualFold(table, name) {
			return table, true
		}
	}
	return "", false
}

// Empty reports whether nothing was ever published on the menu.
func (m *Menu) Empty() bool { return len(m.items) == 0 }

// All returns every item of the business, including unavailable ones.
func (m *Menu) All() map[int64]*Item { return m.items }

// Menus caches menus for a moment, because a busy café's page is requested far more often than its menu changes.
type Menus struct {
	queries *db.Queries
	reads   singleflight.Group
	mu      sync.Mutex
	kept    map[string]kept
	items   int // of the menus that are kept
}

type kept struct {
	menu *Menu
	at   time.Time
}

// NewMenus returns a Menus that reads through conn.
func NewMenus(conn db.DBTX) *Menus {
	return &Menus{queries: db.New(conn), kept: map[string]kept{}}
}

// Menu returns the menu of a business, at most half a second old. The error is fault.NotFound if there is no
// such business. As long as nothing changes, Menu returns the same pointer, so that callers can keep what they made from it.
func (m *Menus) Menu(ctx context.Context, shop string) (*Menu, error) {
	m.mu.Lock()
	have := m.kept[shop]
	m.mu.Unlock()
	if have.menu != nil && time.Since(have.at) < menuAge {
		return have.menu, nil
	}
	// One caller at a time reads the menu of a business for all that wait. The read must not fail for the others because the first one went
	// away.
	read, err, _ := m.reads.Do(shop, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return m.Fresh(ctx, shop)
	})
	if err != nil {
		return nil, err
	}
	return read.(*Menu), nil
}

// Fresh reads the menu of a business from the database.
func (m *Menus) Fresh(ctx context.Context, code string) (*Menu, error) {
	if !printable.Line(code, maxCode) || card.HoldsCard(code) {
		// the database would reject the query, or the log hold a card number
		return nil, fault.New(fault.NotFound, "no shop can have this code")
	}
	row, err := m.queries.MenuGet(ctx, code)
	if errors.Is(err, pgx.ErrNoRows) {
		m.forget(code)
		return nil, fault.New(fault.NotFound, "no shop %q", code)
	}
	if err != nil {
		return nil, err
	}
	rows, err := m.queries.ItemListByShop(ctx, code)
	if err != nil {
		return nil, err
	}
	shop, paused := row.Shop, false
	if shop.Live && shop.NeedsKitchen {
		if paused, err = m.queries.KitchenPaused(ctx, code); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	menu := m.kept[code].menu
	same := menu != nil && menu.Shop == brand.Of(shop) && menu.NeedsKitchen == shop.NeedsKitchen
	now := time.Now().Truncate(time.Minute)
	same = same && (menu.at.IsZero() || menu.at.Equal(now)) && menu.hours == shop.Hours && menu.zone == shop.TimeZone
	if !same || menu.Paused != paused || menu.revision != row.Revision || menu.groups != row.Groups ||
		!slices.Equal(menu.tables, row.Tables) || !slices.Equal(menu.rows, rows) {
		if menu, err = newMenu(row, rows, now); err != nil {
			return nil, err
		}
		menu.Paused = paused
	}
	m.keep(code, menu)
	return menu, nil
}

// keep keeps a menu in place of its older one, and forgets any others if they are too many together. The caller holds the lock.
func (m *Menus) keep(code string, menu *Menu) {
	m.drop(code)
	for other := range m.kept {
		if m.items+len(menu.rows) <= keptItems {
			break
		}
		m.drop(other)
	}
	m.kept[code] = kept{menu: menu, at: time.Now()}
	m.items += len(menu.rows)
}

// drop forgets a menu. The caller holds the lock.
func (m *Menus) drop(code string) {
	if menu := m.kept[code].menu; menu != nil {
		m.items -= len(menu.rows)
	}
	delete(m.kept, code)
}

func (m *Menus) forget(code string) {
	m.mu.Lock()
	m.drop(code)
	m.mu.Unlock()
}

func newMenu(row db.MenuGetRow, rows []db.ItemListByShopRow, now time.Time) (*Menu, error) {
	menu := &Menu{
		Shop: brand.Of(row.Shop), NeedsKitchen: row.Shop.NeedsKitchen, rows: rows, groups: row.Groups, tables: row.Tables,
		revision: row.Revision,
		items:    make(map[int64]*Item, len(rows)), named: make(map[string]*Item, len(rows)),
	}
	if err := json.Unmarshal([]byte(row.Groups), &menu.Groups); err != nil {
		return nil, err
	}
	menu.hours, menu.zone = row.Shop.Hours, row.Shop.TimeZone
	sale := newSale(now, menu.zone)
	groups := make(map[string]*Group, len(menu.Groups))
	for _, group := range menu.Groups {
		groups[strconv.FormatInt(group.ID, 10)] = group
	}
	for _, row := range rows {
		item := &Item{
			ID: row.ID, Name: row.Name, Category: row.Category, Description: row.Description, PriceMinor: row.PriceMinor,
			Picture: row.Picture, Loc: row.Loc, Available: row.Available, SoldOut: row.SoldOut, NoteMax: int(row.NoteMax),
		}
		for id := range strings.SplitSeq(row.Groups, ",") {
			if group := groups[id]; group != nil { // the two were read one after the other
				item.Groups = append(item.Groups, group)
			}
		}
		item.Food = foodOf(row)
		menu.items[item.ID], menu.named[item.Name] = item, item
		if !item.Available {
			continue
		}
		sale.apply(item, menu.hours, row.CategoryHours, row.Hours)
		last := len(menu.Categories) - 1
		if last < 0 || menu.Categories[last].ID != row.CategoryID {
			menu.Categories = append(menu.Categories, Category{ID: row.CategoryID, Name: row.Category})
			last++
		}
		menu.Categories[last].Items = append(menu.Categories[last].Items, item)
	}
	if sale.used {
		menu.at = now
	}
	return menu, nil
}
