package pos

import (
	"sync"

	"forecourt/handlers/web"
	"forecourt/internal/shop/order"
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
	size  int // bytes
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

// find returns a page that is kept, or nil.
func (p *pages) find(menu *order.Menu, key pageKey) *web.Prepared {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of(menu).pages[key]
}

func (p *pages) get(menu *order.Menu, key pageKey, render func() (*web.Prepared, error)) (*web.Prepared, error) {
	if page := p.find(menu, key); page != nil {
		return page, nil
	}
	page, err := render()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size+page.Size() > keptBytes {
		clear(p.kept)
		p.size = 0
	}
	if kept := p.of(menu); kept.pages[key] == nil {
		kept.pages[key] = page
		kept.size += page.Size()
		p.size += page.Size()
	}
	return page, nil
}
