package pos

import (
	"context"
	"sync"

	"forecourt/handlers/web"
	"forecourt/internal/order"
	view "forecourt/views/pos"
)

// keptPages limits how many pages of one menu are kept: two for each table in use.
const keptPages = 512

// pageKey identifies a page of a menu. A browser that has the stylesheet gets a page that links it; any other browser gets a page that
// contains it.
type pageKey struct {
	table  string
	styled bool
}

// pages keeps menu pages on which nothing is chosen yet, and which are therefore the same for everybody at a table, until the menu changes.
type pages struct {
	mu   sync.Mutex
	kept map[string]*menuPages // by client
}

type menuPages struct {
	menu  *order.Menu
	pages map[pageKey]*web.Prepared
	drawn *listing // without a filter; nil until somebody has chosen something
}

// of returns the kept pages of a menu. The caller holds the lock.
func (p *pages) of(menu *order.Menu) *menuPages {
	client := menu.Client.Code
	if p.kept == nil {
		p.kept = map[string]*menuPages{}
	}
	if p.kept[client] == nil || p.kept[client].menu != menu {
		p.kept[client] = &menuPages{menu: menu, pages: map[pageKey]*web.Prepared{}}
	}
	return p.kept[client]
}

// model returns the page of a choice. For a choice without a filter, it draws only the rows of the chosen items.
func (p *pages) model(ctx context.Context, menu *order.Menu, c choice) (view.Menu, error) {
	if len(c.filter) > 0 || menu.Guests != nil {
		return menuModel(menu, c), nil
	}
	p.mu.Lock()
	kept := p.of(menu)
	l := kept.drawn
	p.mu.Unlock()
	if l == nil {
		l = listed(menu, nil)
		if err := view.Draw(ctx, l.Categories); err != nil {
			return view.Menu{}, err
		}
		p.mu.Lock()
		kept.drawn = l
		p.mu.Unlock()
	}
	return l.chosen(menu, c), nil
}

func (p *pages) get(menu *order.Menu, key pageKey, render func() (*web.Prepared, error)) (*web.Prepared, error) {
	p.mu.Lock()
	kept := p.of(menu).pages
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
