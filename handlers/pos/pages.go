package pos

import (
	"context"
	"sync"

	"forecourt/handlers/web"
	"forecourt/internal/order"
	view "forecourt/views/pos"
)

const (
	// keptPages bounds how many pages of one menu are kept: two for each table that somebody sits at.
	keptPages = 512
	// keptBytes bounds the pages of all menus: anybody may ask for a table that is none, or set up a business with a long menu.
	keptBytes = 128 << 20
)

// pageKey tells a menu's pages apart. A browser that has the stylesheet gets a page that links it; any other browser gets a page that holds it.
type pageKey struct {
	table  string
	styled bool
}

// pages keeps menu pages with nothing chosen yet, which are the same for everybody at a table, as long as the menu
// stays what it is.
type pages struct {
	mu    sync.Mutex
	kept  map[string]*menuPages // by client
	bytes int                   // that the pages of all menus take
}

type menuPages struct {
	menu  *order.Menu
	pages map[pageKey]*web.Prepared
	bytes int      // that they take
	drawn *listing // with no filter; nil until somebody has a choice of their own
}

// of returns what is kept of a menu. The lock is held.
func (p *pages) of(menu *order.Menu) *menuPages {
	client := menu.Client.Code
	if p.kept == nil {
		p.kept = map[string]*menuPages{}
	}
	if p.kept[client] == nil || p.kept[client].menu != menu {
		p.forget(p.kept[client])
		p.kept[client] = &menuPages{menu: menu, pages: map[pageKey]*web.Prepared{}}
	}
	return p.kept[client]
}

// forget drops the pages of a menu, which may be nil. The lock is held.
func (p *pages) forget(kept *menuPages) {
	if kept == nil {
		return
	}
	p.bytes -= kept.bytes
	kept.bytes = 0
	clear(kept.pages)
}

// keep adds a page to those of its menu. Where that is too much, the pages of other menus go, of whichever come first. The lock is held.
func (p *pages) keep(kept *menuPages, key pageKey, page *web.Prepared) {
	size := page.Size()
	if size > keptBytes || kept.pages[key] != nil || p.kept[kept.menu.Client.Code] != kept { // the menu changed meanwhile
		return
	}
	if len(kept.pages) >= keptPages {
		p.forget(kept)
	}
	for _, other := range p.kept {
		if p.bytes+size <= keptBytes {
			break
		}
		p.forget(other)
	}
	kept.pages[key] = page
	kept.bytes += size
	p.bytes += size
}

// model returns the page of a choice. Of what guests see without a filter, only the rows of what is chosen have to be drawn.
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
	kept := p.of(menu)
	page := kept.pages[key]
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
	p.keep(kept, key, page)
	return page, nil
}
