package order

import (
	"strconv"
	"testing"

	"forecourt/db"
)

func TestCachedMenusAreLimitedByTheirItems(t *testing.T) {
	t.Parallel()
	m := NewMenus(nil)
	for business := range 300 {
		for _, items := range []int{2000, 1999} { // the menu changes
			m.keep(strconv.Itoa(business), &Menu{rows: make([]db.ItemListByShopRow, items)})
		}
	}
	m.forget("299")
	m.forget("nobody")
	items := 0
	for _, kept := range m.kept {
		items += len(kept.menu.rows)
	}
	if items != m.items || items > keptItems || items < keptItems-3*2000 {
		t.Errorf("%d items are cached but %d are counted", items, m.items)
	}
}
