package order

import (
	"encoding/hex"
	"strconv"
	"testing"

	"forecourt/internal/kit/check"
)

// A repeated order is known by its hash, which the database keeps for a day, through upgrades.
func TestAnOrderKeepsItsHash(t *testing.T) {
	t.Parallel()
	amount := int64(1100)
	r := Request{Shop: "panezski", Lines: []Line{{Name: "Butter Croissant", Qty: 2}}, Amount: &amount, Table: "4", Source: "api", Key: "any",
		PushToken: "any"}
	check.Equal(t, hex.EncodeToString(r.hash()), "fcb4fc59011b7b19e67b4911fe4627a4eb1eaf5cff140fbb52a7ec3268fceae0", "the hash")
}

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
