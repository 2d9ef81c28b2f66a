package pos

import (
	"sync"

	"forecourt/handlers/web"
	"forecourt/internal/order"
)

// keptTables bounds how many pages of one menu are kept: one for each table that somebody sits at.
const keptTables = 256

// pages keeps menu pages with nothing chosen yet, which are the same for everybody at a table, as long as the menu
// stays what it is.
type pages struct {
	mu   sync.Mutex
	kept map[string]menuPages // by client
}

type menuPages struct {
	menu   *order.Menu
	tables map[string]*web.Prepared
}

func (p *pages) get(menu *order.Menu, table string, render func() (*web.Prepared, error)) (*web.Prepared, error) {
	client := menu.Client.Code
	p.mu.Lock()
	if p.kept == nil {
		p.kept = map[string]menuPages{}
	}
	if p.kept[client].menu != menu {
		p.kept[client] = menuPages{menu: menu, tables: map[string]*web.Prepared{}}
	}
	tables := p.kept[client].tables
	page := tables[table]
	p.mu.Unlock()
	if page != nil {
		return page, nil
	}
	page, err := render()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(tables) >= keptTables {
		clear(tables)
	}
	tables[table] = page
	return page, nil
}
