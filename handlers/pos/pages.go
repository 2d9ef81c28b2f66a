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

// pageKey identifies a page of a menu. A browser that has the stylesheet gets a page that links it; any other browser gets a page that
// contains it.
type pageKey struct {
	table, encoding string
	styled          bool
}

// pages keeps menu pages with nothing chosen yet, which are the same for everybody at a table, as long as the menu
// stays what it is and there is room.
type pages struct {
	mu    sync.Mutex
	kept  map[string]*menuPages // by client
	bytes int                   // that all of it takes
}

type menuPages struct {
	menu  *order.Menu
	pages map[pageKey]*web.Prepared
	bytes int      // that all of it takes
	drawn *listing // with no filter; nil until somebody has a choice of their own
	size  int      // bytes
}

// of returns the kept pages of a menu. The caller holds the lock.
func (p *pages) of(menu *order.Menu) *menuPages {
	client := menu.Client.Code
	if p.kept == nil {
		p.kept = map[string]*menuPages{}
	}
	if p.kept[client] == nil || p.kept[client].menu != menu {
		p.forget(p.kept[client])
		p.kept[client] = &menuPages{menu: menu, pages: map[pageKey]*web.Prepared{}}
	}
	return kept
}

// forget drops what is kept of a menu, which may be nil. The lock is held.
func (p *pages) forget(kept *menuPages) {
	if kept == nil {
		return
	}
	delete(p.kept, kept.menu.Client.Code)
	p.empty(kept)
}

func (p *pages) empty(kept *menuPages) {
	p.bytes -= kept.bytes
	kept.bytes, kept.drawn = 0, nil
	clear(kept.pages)
}

// charge counts what is to be kept of a menu, and reports whether it may be: the menu may have changed meanwhile. Where it is too much with
// what is kept, that goes first, of whichever menus. The lock is held.
func (p *pages) charge(kept *menuPages, size int) bool {
	if size > keptBytes || p.kept[kept.menu.Client.Code] != kept {
		return false
	}
	if kept.bytes+size > keptBytes || len(kept.pages) >= keptPages {
		p.empty(kept)
	}
	for _, other := range p.kept {
		if p.bytes+size <= keptBytes {
			break
		}
		if other != kept {
			p.forget(other)
		}
	}
	kept.bytes += size
	p.bytes += size
	return true
}

// model returns the page of a choice. Of what guests see without a filter, only the rows of what is chosen have to be drawn.
func (p *pages) model(ctx context.Context, menu *order.Menu, c choice) (view.Menu, error) {
	if len(c.filter) > 0 || menu.Guests != nil {
		return menuModel(menu, c), nil
	}
	p.mu.Lock()
	l := p.of(menu).drawn
	p.mu.Unlock()
	if l == nil {
		l = listed(menu, nil)
		size, err := view.Draw(ctx, l.Categories)
		if err != nil {
			return view.Menu{}, err
		}
		p.mu.Lock()
		if kept.drawn == nil && p.charge(kept, l.Size()) {
			kept.drawn = l
		}
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
	if kept.pages[key] == nil && p.charge(kept, page.Size()) {
		kept.pages[key] = page
	}
	return page, nil
}
