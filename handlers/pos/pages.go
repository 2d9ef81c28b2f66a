package pos

import (
	"context"
	"sync"

	"forecourt/handlers/web"
	"forecourt/internal/shop/order"
	view "forecourt/views/pos"
)

// keptBytes limits what is kept of all menus together. A packed page takes about 10 kB.
const keptBytes = 16 << 20

// pageKey identifies a page of a menu. A browser that has the stylesheet gets a page that links it; any other browser gets a page that
// contains it.
type pageKey struct {
	table  string
	styled bool
}

// pages keeps menu pages on which nothing is chosen yet, and which are therefore the same for everybody at a table, until the menu changes
// or there is no room.
type pages struct {
	mu   sync.Mutex
	kept map[string]*menuPages // by shop
	size int                   // bytes of all of them
}

type menuPages struct {
	menu  *order.Menu
	pages map[pageKey]*web.Prepared
	drawn *listing // without a filter; nil until somebody has chosen something
	size  int      // bytes
}

// of returns the kept pages of a menu. The caller holds the lock.
func (p *pages) of(menu *order.Menu) *menuPages {
	shop := menu.Shop.Code
	if p.kept == nil {
		p.kept = map[string]*menuPages{}
	}
	kept := p.kept[shop]
	if kept == nil || kept.menu != menu {
		if kept != nil {
			p.size -= kept.size
		}
		kept = &menuPages{menu: menu, pages: map[pageKey]*web.Prepared{}}
		p.kept[shop] = kept
	}
	return kept
}

// room returns the kept pages of a menu with room for so many more bytes. If there is none it forgets all pages. The caller holds the lock.
func (p *pages) room(menu *order.Menu, more int) *menuPages {
	if p.size+more > keptBytes {
		clear(p.kept)
		p.size = 0
	}
	kept := p.of(menu)
	kept.size += more
	p.size += more
	return kept
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
		if p.of(menu).drawn == nil {
			p.room(menu, size).drawn = l
		}
		p.mu.Unlock()
	}
	return l.chosen(menu, c), nil
}

func (p *pages) get(menu *order.Menu, key pageKey, render func() (*web.Prepared, error)) (*web.Prepared, error) {
	p.mu.Lock()
	page := p.of(menu).pages[key]
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
	if p.of(menu).pages[key] == nil {
		p.room(menu, page.Size()).pages[key] = page
	}
	return page, nil
}
