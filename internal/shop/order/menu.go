// Package order reads menus and turns a basket into a transaction to be paid.
package order

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/singleflight"

	"forecourt/db"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/menu"
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
	Paused       bool       // no orders are taken: the kitchen is too busy, or the business wants a kitchen screen to watch, and none does
	Guests       *Menu      // what guests see, where this one is for the team to try at any hour; nil for theirs
	Categories   []Category // those with something to show, in order
	Groups       []*Group   // every option group of the business
	Surcharge    Surcharge  // on what is ordered now
	Closures     []string   // sentences about the dates of the coming weeks on which it is closed
	Tips         []int32    // the tips that guests are offered, in percent; empty for none
	items        map[int64]*Item
	named        map[string]*Item
	read         db.MenuGetRow // what it was made of
	at           time.Time     // the minute that hours were compared with; zero if nothing has hours
}

// Category is a heading with its available items.
type Category struct {
	ID    int64
	Name  string
	Items []*Item
}

// Item is an item of the menu as it can be ordered now.
type Item struct {
	menu.Item

	Usual    *int64    // its price at other hours, in minor units, while Price is its category's other one; else nil
	Until    time.Time // when Usual counts again, in the shop's zone; zero for not soon
	Category string    // its name
	SoldOut  bool      // it cannot be ordered now: it is sold out or closed
	Closed   bool      // it is outside its hours
	Opens    time.Time // when it is closed: when it is on sale again, in the shop's zone; zero if never
	Groups   []*Group  // what is chosen with it, in order

	Told menu.AllergenFacts // AllergenFacts of an available item
}

// Item returns the item with that id, available or not, or nil if the business has none.
func (m *Menu) Item(id int64) *Item { return m.items[id] }

// Table returns the name of a table as the business writes it. known is false if the business lists its tables and this is not one of them.
// Any name is known to a business without a list and to one of the demo, and "", which means no table, is always known.
func (m *Menu) Table(name string) (listed string, known bool) {
	if name == "" || len(m.read.Tables) == 0 {
		return name, true
	}
	for _, table := range m.read.Tables {
		if typed.Alike(table) == typed.Alike(name) {
			return table, true
		}
	}
	if m.read.Shop.DemoOpen != nil { // whose codes have any table (QR-02)
		return name, true
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
	m.mu.Lock()
	kept, now := m.kept[code].menu, time.Now().Truncate(time.Minute)
	m.mu.Unlock()
	if kept == nil || !kept.at.IsZero() && !kept.at.Equal(now) || !same(kept.read, row) {
		var listed menu.Menu
		if err := json.Unmarshal([]byte(row.Menu), &listed); err != nil {
			return nil, err
		}
		kept = newMenu(row, listed, now)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keep(code, kept)
	return kept, nil
}

// Preview returns the menu of a business as guests will see its draft.
func (m *Menus) Preview(ctx context.Context, code string, draft menu.Menu) (*Menu, error) {
	row, err := m.queries.MenuGet(ctx, code)
	if err != nil {
		return nil, err
	}
	return newMenu(row, draft, time.Now().Truncate(time.Minute)), nil
}

// same reports whether two rows make the same menu.
func same(a, b db.MenuGetRow) bool {
	return a.Menu == b.Menu && a.Revision == b.Revision && a.Paused == b.Paused && brand.Of(a.Shop) == brand.Of(b.Shop) &&
		a.Shop.Hours == b.Shop.Hours &&
		a.Shop.NeedsKitchen == b.Shop.NeedsKitchen && slices.Equal(a.ItemsOut, b.ItemsOut) && slices.Equal(a.ChoicesOut, b.ChoicesOut) &&
		slices.Equal(a.Tables, b.Tables) && slices.Equal(a.Shop.Surcharges, b.Shop.Surcharges) && slices.Equal(a.Shop.Tips, b.Shop.Tips) &&
		a.Holidays == b.Holidays
}

// keep keeps a menu in place of its older one, and forgets any others if they are too many together. The caller holds the lock.
func (m *Menus) keep(code string, menu *Menu) {
	m.drop(code)
	for other := range m.kept {
		if m.items+len(menu.items) <= keptItems {
			break
		}
		m.drop(other)
	}
	m.kept[code] = kept{menu: menu, at: time.Now()}
	m.items += len(menu.items)
}

// drop forgets a menu. The caller holds the lock.
func (m *Menus) drop(code string) {
	if menu := m.kept[code].menu; menu != nil {
		m.items -= len(menu.items)
	}
	delete(m.kept, code)
}

func (m *Menus) forget(code string) {
	m.mu.Lock()
	m.drop(code)
	m.mu.Unlock()
}

func newMenu(row db.MenuGetRow, listed menu.Menu, now time.Time) *Menu {
	m := &Menu{
		Shop: brand.Of(row.Shop), NeedsKitchen: row.Shop.NeedsKitchen, read: row, items: map[int64]*Item{}, named: map[string]*Item{},
		Tips: row.Shop.Tips, Paused: row.Paused,
	}
	groups := map[int64]*Group{}
	for _, g := range listed.Groups {
		group := &Group{Group: g}
		for _, c := range g.Choices {
			group.Choices = append(group.Choices, Choice{c, slices.Contains(row.ChoicesOut, c.ID)})
		}
		m.Groups, groups[g.ID] = append(m.Groups, group), group
	}
	sale := newSale(now, row.Shop.TimeZone, row.Holidays)
	m.Surcharge = sale.surcharge(row.Shop.Surcharges)
	if row.Shop.Hours != "" {
		m.Closures = sale.hours(row.Shop.Hours).Closures(sale.now)
	}
	for _, c := range listed.Categories {
		shown, others := Category{ID: c.ID, Name: c.Name}, sale.within(c.OtherHours)
		for _, i := range c.Items {
			item := &Item{Item: i, Category: c.Name, SoldOut: slices.Contains(row.ItemsOut, i.ID)}
			if others && i.OtherPrice != nil {
				item.Price, item.Usual, item.Until = *i.OtherPrice, &i.Price, sale.hours(c.OtherHours).Ends(sale.now)
			}
			for _, id := range i.Groups {
				item.Groups = append(item.Groups, groups[id])
			}
			m.items[item.ID], m.named[item.Name] = item, item
			if item.Available {
				sale.apply(item, row.Shop.Hours, c.Hours, i.Hours)
				item.Told = item.AllergenFacts()
				shown.Items = append(shown.Items, item)
			}
		}
		if len(shown.Items) > 0 {
			m.Categories = append(m.Categories, shown)
		}
	}
	if sale.used {
		m.at = now
	}
	return m
}
