package order

import (
	"strconv"
	"testing"
)

func TestCachedMenusAreLimitedByTheirItems(t *testing.T) {
	t.Parallel()
	m := NewMenus(nil)
	long, shorter := &Menu{items: map[int64]*Item{}}, &Menu{items: map[int64]*Item{}}
	for i := range int64(2000) {
		long.items[i], shorter.items[i/2] = nil, nil
	}
	for business := range 300 {
		for _, menu := range []*Menu{long, shorter} { // the menu changes
			m.keep(strconv.Itoa(business), menu)
		}
	}
	m.forget("299")
	m.forget("nobody")
	items := 0
	for _, kept := range m.kept {
		items += len(kept.menu.items)
	}
	if items != m.items || items > keptItems || items < keptItems-3*2000 {
		t.Errorf("%d items are cached but %d are counted", items, m.items)
	}
}
