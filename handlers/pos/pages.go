package pos

import (
	"sync"

	"forecourt/handlers/web"
	"forecourt/internal/order"
)

// keptPages bounds how many pages of one menu are kept: two for each table that somebody sits at.
const keptPages = 512

// pageKey tells a menu's pages apart. A browser that has the stylesheet gets a page that links it; any other browser gets a page that holds it.
type pageKey struct {
	table  string
	styled bool
}

// pages keeps menu pages with nothing chosen yet, which are the same for everybody at a table, as long as the menu
// stays what it is.
type pages struct {
	mu   sync.Mutex
	kept map[string]menuPages // by client
}

type menuPages struct {
	menu  *order.Menu
	pages map[pageKey]*web.Prepared
}

func (p *pages) get(menu *order.Menu, key pageKey, render func() (*web.Prepared, error)) (*web.Prepared, error) {
	client := menu.Client.Code
	p.mu.Lock()
	if p.kept == nil {
		p.kept = map[string]menuPages{}
	}
	if p.kept[client].menu != menu {
		p.kept[client] = menuPages{menu: menu, pages: map[pageKey]*web.Prepared{}}
	}
	kept := p.kept[client].pages
	page := kept[key]
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
	if len(kept) >= keptPages {
		clear(kept)
	}
	kept[key] = page
	return page, nil
}
